import type { Clients, Devices, Mailboxes } from './devices/types.ts';
import type { Channels, Groups } from './groups/types.ts';
import type { MediaRef } from './messages/content.ts';
import type { AwaitedMessages, ChatStates, Messages } from './messages/types.ts';
import type { Passkeys } from './passkeys/types.ts';
import type {
  Blocklists,
  Calls,
  Contacts,
  Handsets,
  Phones,
  Photos,
  Presence,
  Privacy,
} from './people/types.ts';
import type { AddressRules, Faults, Tokens } from './rules/types.ts';
import type { Sanctions, Standing } from './standing/types.ts';

/**
 * The virtual network. Every method that changes something is one transaction: it succeeds as a whole or throws a `WorldError`
 * and changes nothing. News for linked devices is in their mailboxes before the method returns; attached listeners get it in a
 * microtask after that, so that the caller can answer first (an ack leaves before its receipts). A listener may call the world
 * and must not throw. Addresses (`to`, `jid`, `who`) may be a number with or without `+`, `<phone>[:<device>]@s.whatsapp.net` or
 * `<lid>@lid`.
 */
export interface World {
  phones: Phones;
  handsets: Handsets;
  devices: Devices;
  mailboxes: Mailboxes;
  messages: Messages;
  awaited: AwaitedMessages;
  chatStates: ChatStates;
  tokens: Tokens;
  addressRules: AddressRules;
  groups: Groups;
  channels: Channels;
  contacts: Contacts;
  blocklists: Blocklists;
  photos: Photos;
  privacy: Privacy;
  presence: Presence;
  calls: Calls;
  media: MediaTable;
  faults: Faults;
  sanctions: Sanctions;
  standing: Standing;
  clients: Clients;
  passkeys: Passkeys;
  vault: Vault;
  /** Runs several actions as one transaction (all or none) and one commit. Not for asynchronous work. */
  transaction<T>(run: () => T): T;
  close(): void;
}

export interface MediaTable {
  put(bytes: Uint8Array, mimetype: string): MediaRef;
  read(id: string): Uint8Array | undefined;
}

/** Durable key-value storage for the link layer's own state (keys, ratchets), opaque to the world. */
export interface Vault {
  read(scope: string, key: string): Uint8Array | undefined;
  write(scope: string, key: string, value: Uint8Array): void;
  erase(scope: string, key: string): void;
  eraseScope(scope: string): void;
  /** In the order of their keys. */
  entries(scope: string, limit?: number): { key: string; value: Uint8Array }[];
}
