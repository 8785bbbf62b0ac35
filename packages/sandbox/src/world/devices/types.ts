import type { ClientVersion, LinkedDevice, PhoneNumber, SessionId } from '../types.ts';
import type { Forwarded, MailboxItem, NewsKind } from './items.ts';

export interface Devices {
  /** Links a device to the phone and assigns its number. */
  link(phone: PhoneNumber, identity: Uint8Array): LinkedDevice;
  get(sessionId: SessionId): LinkedDevice | undefined;
  of(phone: PhoneNumber): LinkedDevice[];
  /** Replaces the opaque identity. */
  keep(sessionId: SessionId, identity: Uint8Array): void;
  /** Called for the phone or by the device itself. Deletes the mailbox; an attached listener gets `closed('unlinked')`. */
  unlink(sessionId: SessionId): void;
}

/** Why an attachment ended without a call of its own `detach`. */
export type CloseReason = 'replaced' | 'unlinked' | 'fault' | 'world_closed';

export interface MailboxListener {
  item(item: MailboxItem): void;
  /** `code` is the network's reason number, where a fault sets one. */
  closed(reason: CloseReason, code?: number): void;
}

export interface Attachment {
  /** How many items are waiting. */
  readonly backlog: number;
  /** Starts the delivery; nothing is delivered before. */
  start(): void;
  detach(): void;
}

export interface Mailboxes {
  /**
   * Attaches to the device's mailbox; closes an earlier attachment as `replaced`. After `start`, items come in order, waiting
   * ones first. An item that is not acknowledged comes again to the next attachment, under the same id. At most 1,000
   * unacknowledged items are delivered. `not_found` when the device is not linked (any more).
   */
  attach(sessionId: SessionId, listener: MailboxListener): Attachment;
  /** Unknown and volatile ids are ignored. */
  acknowledge(sessionId: SessionId, ...itemIds: number[]): void;
  waiting(sessionId: SessionId): number;
  /** The same by kind, without what expires. */
  waitingByKind(sessionId: SessionId): Map<NewsKind, number>;
  /** Puts a stanza of another device into the mailbox; the link layer stores its bytes under the id of the item. */
  forward(sessionId: SessionId, said: Forwarded): number;
}

/** The client versions that the network accepts. */
export interface Clients {
  versions(): ClientVersions;
  /** Replaces the earlier demand. */
  demand(versions: ClientVersions): void;
}

export interface ClientVersions {
  /** Older versions are refused; undefined accepts every version. */
  minimum?: ClientVersion;
  /** The version that is announced as the newest; defaults to the one that this network is built for. */
  current?: ClientVersion;
  /** When versions older than the newest will be refused; announced at each login of one (epoch ms). */
  oldRefusedAt?: number;
}
