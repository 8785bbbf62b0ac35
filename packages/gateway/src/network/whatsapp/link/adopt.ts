import { type AuthenticationCreds, BufferJSON } from 'baileys';
import type { Clock, SealedBox } from '#kernel';
import { parsedJson } from '#kernel';
import type { Store } from '#platform/store';
import { accountOf, digitsOf } from '../convert/jid.ts';
import { createLinkStore, createRecordCache, openVault, storeLink } from '../vault/index.ts';

const INITIAL_FENCE = 0;
const KEYS_AT_ONCE = 500;

/** A link that another program made with the same library, in its text form. */
export interface ForeignLink {
  readonly creds: AuthenticationCreds;
  readonly phone: string;
  readonly sessionId: string;
  readonly lid: string | null;
}

/** Undefined when the text is not valid credentials of a linked number. */
export function readForeignLink(text: string): ForeignLink | undefined {
  const creds = parsed(text);
  const { id = '', lid } = creds?.me ?? {};
  const isWhole = creds?.noiseKey && creds.signedIdentityKey && creds.signedPreKey && creds.account;
  const phone = digitsOf(id);
  if (!creds || !isWhole || !/^\d+:\d+@s\.whatsapp\.net$/.test(id) || phone === '') return undefined;
  return { creds, phone, sessionId: id, lid: lid ? accountOf(lid) : null };
}

/** A key of a chat, of a group, or of the account's state. */
export interface ForeignKey {
  readonly kind: (typeof FOREIGN_KEY_KINDS)[number];
  readonly id: string;
  readonly value: unknown;
}

/**
 * Kinds of keys that are imported; of kinds with a common prefix the longer comes first. The versions of the
 * account's state are left out: the state is read from the start, because none of it was published here.
 */
export const FOREIGN_KEY_KINDS = [
  'app-state-sync-key',
  'identity-key',
  'lid-mapping',
  'pre-key',
  'sender-key-memory',
  'sender-key',
  'session',
] as const;

/** Undefined when the text is not a valid key. */
export function readForeignKey(text: string): unknown {
  return parsedJson(text, BufferJSON.reviver) ?? undefined;
}

function parsed(text: string): AuthenticationCreds | undefined {
  const value = parsedJson(text, BufferJSON.reviver);
  // Some programs encode the JSON text twice.
  const inner = typeof value === 'string' ? parsedJson(value, BufferJSON.reviver) : value;
  return typeof inner === 'object' && inner !== null ? (inner as AuthenticationCreds) : undefined;
}

/** Stores the link sealed, without an owner. */
export async function adoptLink(
  parts: {
    readonly store: Store;
    readonly sealedBox: SealedBox;
    readonly clock: Pick<Clock, 'now' | 'after'>;
  },
  linkId: string,
  { creds }: ForeignLink,
  keys: readonly ForeignKey[],
): Promise<void> {
  const links = createLinkStore(parts.store);
  await storeLink({ ...parts, links }, linkId, creds);
  const vault = await openVault(
    { ...parts, links, cache: createRecordCache({ limit: 0 }) },
    {
      linkId,
      fence: INITIAL_FENCE,
      onArrivals: () => {},
      onCopies: () => {},
      onBroken: () => {},
    },
  );
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
    await vault.commit({ puts: keys.slice(from, from + KEYS_AT_ONCE) });
}

/** Deletes a link that has no owner. */
export function forgetLink(store: Store, linkId: string): Promise<void> {
  return createLinkStore(store).forget(linkId);
}
