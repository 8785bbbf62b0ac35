import type { ClientVersion, LinkedDevice, PhoneNumber, SessionId } from '../types.ts';
import type { Forwarded, MailboxItem, NewsKind } from './items.ts';

export interface Devices {
  /** Makes a linked device of the phone and chooses its number. */
  link(phone: PhoneNumber, identity: Uint8Array): LinkedDevice;
  get(sessionId: SessionId): LinkedDevice | undefined;
  of(phone: PhoneNumber): LinkedDevice[];
  /** Replaces the opaque identity. */
  keep(sessionId: SessionId, identity: Uint8Array): void;
  /** By the phone or by the device itself. Its mailbox is gone and whoever is attached gets `closed('unlinked')`. */
  unlink(sessionId: SessionId): void;
}

/** Why an attachment ended other than by its own `detach`. */
export type CloseReason = 'replaced' | 'unlinked' | 'fault' | 'world_closed';

export interface MailboxListener {
  item(item: MailboxItem): void;
  /** With the number that the network gives as its reason, where a fault orders one. */
  closed(reason: CloseReason, code?: number): void;
}

export interface Attachment {
  /** How many items were waiting. */
  readonly backlog: number;
  /** Asks for what waits; nothing is handed over before. */
  start(): void;
  detach(): void;
}

export interface Mailboxes {
  /**
   * Takes the device's mailbox; an earlier attachment is closed as `replaced`. After `start`, items come in order, waiting
   * ones first, each until it is acknowledged: not acknowledged, it comes again to the next attachment, under the same id.
   * At most a window of 1,000 unacknowledged items is handed over. `not_found` when the device is not linked (any more).
   */
  attach(sessionId: SessionId, listener: MailboxListener): Attachment;
  /** Unknown and volatile ids are ignored. */
  acknowledge(sessionId: SessionId, ...itemIds: number[]): void;
  waiting(sessionId: SessionId): number;
  /** The same, by what it is; without what goes stale. */
  waitingByKind(sessionId: SessionId): Map<NewsKind, number>;
  /** Puts something that another device said into the mailbox; the link layer keeps its bytes under the id of the item. */
  forward(sessionId: SessionId, said: Forwarded): number;
}

/** What the network demands of the programs that connect to it. */
export interface Clients {
  versions(): ClientVersions;
  /** Takes the place of what was demanded before. */
  demand(versions: ClientVersions): void;
}

export interface ClientVersions {
  /** Older ones are refused; without it nobody is. */
  minimum?: ClientVersion;
  /** What they are told is the newest; without it, the one that this network is built for. */
  current?: ClientVersion;
}
