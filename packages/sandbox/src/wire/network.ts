import type { LinkedDevice, SessionId, World } from '../world/index.ts';
import type { Clock, Log, Random } from './ports.ts';
import type { PhoneCiphers } from './signal/cipher.ts';
import type { Companions } from './signal/companions.ts';
import type { DeviceLists } from './signal/device-lists.ts';
import type { PhoneKeyring } from './signal/phone-keys.ts';
import type { Node } from './transport/nodes.ts';

/** Services for all parts of the wire. */
export interface Network {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: PhoneKeyring;
  readonly ciphers: PhoneCiphers;
  readonly companions: Companions;
  readonly deviceLists: DeviceLists;
  /** Linked devices with a connection. */
  readonly online: Map<SessionId, Session>;
}

/** The session of a connected device. */
export interface Session {
  readonly device: LinkedDevice;
  send(stanza: Node): void;
}

/** Handles the stanzas of one kind. */
export type StanzaHandler = (session: Session, stanza: Node) => void | Promise<void>;
