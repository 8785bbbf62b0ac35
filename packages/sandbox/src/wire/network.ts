import type { LinkedDevice, SessionId, World } from '../world/index.ts';
import type { Clock, Log, Random } from './ports.ts';
import type { PhoneCiphers } from './signal/cipher.ts';
import type { Companions } from './signal/companions.ts';
import type { PhoneKeyring } from './signal/phone-keys.ts';
import type { Node } from './transport/nodes.ts';

/** What every part of the wire works with. */
export interface Network {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: PhoneKeyring;
  readonly ciphers: PhoneCiphers;
  readonly companions: Companions;
  /** The linked devices that are on the line right now. */
  readonly online: Map<SessionId, Session>;
}

/** A linked device on the line. */
export interface Session {
  readonly device: LinkedDevice;
  send(stanza: Node): void;
}

/** Takes the stanzas of a kind. */
export type StanzaHandler = (session: Session, stanza: Node) => void | Promise<void>;
