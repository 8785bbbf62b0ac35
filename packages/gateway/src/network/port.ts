import type { PasskeyCredential, PasskeyOptions, SessionReason } from '@parley/contract';
import type { Jid, MediaRef, OutboundMessage } from './content.ts';
import type { NetworkEvent } from './events.ts';
import type {
  CallOperations,
  ChannelOperations,
  ChatOperations,
  ContactOperations,
  GroupOperations,
  PresenceOperations,
} from './operations.ts';
import type { PastHistory, PastTaker } from './past.ts';

export type { PasskeyCredential, PasskeyOptions } from '@parley/contract';

/**
 * What the gateway needs of a messaging network. One driver stands behind it in production (`whatsapp/`), a small one over the
 * sandbox's world in tests (`testing/fake/`); both pass the same conformance suite (`testing/conformance/`).
 *
 * Rules for every method, unless its comment says otherwise:
 * - it settles within 20 s (`NETWORK_PATIENCE_MS`), whatever the network does;
 * - it rejects with a `NetworkError` and nothing else;
 * - it must not retry by itself, must not log content, keys or codes, and must not call back after `close()` has resolved.
 */
export interface NetworkDriver {
  /**
   * Starts one pairing attempt. The credentials it makes live under `linkId` in the gateway's own store, sealed.
   * Must not open a session: when the attempt reports `paired`, its socket is gone and the caller opens the session.
   */
  pair(request: PairingRequest): PairingAttempt;

  /**
   * Starts holding a linked number and returns at once; the connection comes up by itself and stays up: after a drop the session
   * reconnects with a growing, jittered pause until it is closed or its link has ended. It knocks no oftener than an official client.
   * A `linkId` under which nothing is kept ends as `logged_out`, without a word to the network.
   * Must not be called twice for one `linkId` without closing the first: two sockets on one ratchet corrupt it.
   */
  open(request: OpenRequest): NetworkSession;

  /** Deletes everything kept under `linkId`: credentials, keys, caches, journal. Must not touch the network. Idempotent. */
  forget(linkId: string): Promise<void>;

  /** Closes every attempt and session. Must not log anything out. */
  close(): Promise<void>;
}

export interface PairingRequest {
  /** Names the credentials; chosen by the gateway, one per attempt. */
  readonly linkId: string;
  /** International digits without `+`: the number that is allowed to answer this attempt. */
  readonly phone: string;
  readonly method: 'qr' | 'code';
  /** Called in order, never concurrently, never after `paired`, `failed` or `cancel()`. Must not throw. */
  readonly onProgress: (progress: PairingProgress) => void;
}

export type PairingProgress =
  /** A payload to draw as QR image, good until `expiresAt` (epoch ms); a fresh one follows by itself. */
  | { readonly kind: 'qr'; readonly qr: string; readonly expiresAt: number }
  /** Eight characters, no hyphen. */
  | { readonly kind: 'code'; readonly code: string }
  /** Linked; `phone` is checked against the request, a scan by another number fails the attempt and unlinks it again. */
  | { readonly kind: 'paired'; readonly sessionId: string; readonly lid?: Jid; readonly pushName?: string }
  /**
   * The account is guarded: its phone waits until a passkey's assertion for `options` is given (`answerPasskey`). `options` is the network's
   * own JSON, passed through unchanged. Good until `expiresAt` (epoch ms); no QR or code follows. A secret, as all that follows from it.
   */
  | { readonly kind: 'passkey'; readonly options: PasskeyOptions; readonly expiresAt: number }
  /** The owner compares these eight characters (no hyphen) with those on the phone, then `confirm()`. */
  | { readonly kind: 'confirm'; readonly code: string; readonly expiresAt: number }
  /**
   * Ended; everything under `linkId` has been deleted. `reason` is one plain sentence for the account owner; `cause` says the same to
   * programs when it was over the passkey.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: PasskeyFailure };

export type PasskeyFailure =
  /** The network has nothing to sign: the account has no passkey yet. */
  | 'no_passkey'
  /** The network did not take the assertion. */
  | 'refused'
  /** Nobody signed, or nobody compared, in time. */
  | 'expired'
  /** The assertion was taken, and the phone went no further. */
  | 'not_continued'
  /** The phone began anew again and again, and each time what was signed came too late for it. */
  | 'superseded';

export interface PairingAttempt {
  /** Hands on the assertion that was asked for; what comes of it is told by progress. Ignored when none is asked for, or a second time. */
  answerPasskey(credential: PasskeyCredential): void;
  /** The owner says that phone and page show the same. Ignored when nobody was asked. */
  confirm(): void;
  /** Ends the attempt and deletes what it kept. A phone that scans afterwards finds nothing. Idempotent. */
  cancel(): Promise<void>;
}

export interface OpenRequest {
  readonly linkId: string;
  /** Grows with every owner of this number; writes on behalf of an older owner must be refused by the store. */
  readonly fence: number;
  /** Told of every change, in order. Must not throw. */
  readonly onState: (state: ConnectionState) => void;
  /**
   * Told of what the network says about the number's standing, in order; also on every connect, after a refusal 463 (at most once a
   * minute) and once a day. Must not throw.
   */
  readonly onStanding: (news: StandingNews) => void;
  /**
   * Told of people with whom the number had a chat before it was linked, as its phone says. What was not taken is told again, after a
   * crash as well.
   */
  readonly onKnownPeople?: (people: readonly Jid[]) => Promise<void>;
  /**
   * Asked who takes the messages of a history that the phone tells; undefined: nobody, and they are passed over. It is told again from its
   * beginning until `end` has resolved, after a crash as well. Not an event: what is told here happened before the number was linked.
   */
  readonly onPast?: (history: PastHistory) => PastTaker | undefined;
  /**
   * Takes events in the order of the network. The driver forgets an event only after this promise has resolved; durable events that
   * were not taken come again after a crash or a rejection, with the same `id`. At most one call is under way per session.
   */
  readonly onEvents: (events: readonly NetworkEvent[]) => Promise<void>;
}

export type StandingNews =
  /** Whether the number may write to people it has no chat with. `type` is the network's own word (`RESTRICT_ALL_COMPANIONS` …). */
  | {
      readonly kind: 'reachout_lock';
      readonly active: boolean;
      readonly type?: string;
      /** Epoch ms. */
      readonly endsAt?: number;
    }
  /** The network's own budget of new chats. */
  | {
      readonly kind: 'new_chat_cap';
      readonly quota: number;
      readonly used: number;
      /** Epoch ms. */
      readonly cycleEndsAt?: number;
      readonly warning: 'none' | 'first' | 'second' | 'capped';
    }
  /** The network refused to answer because it was asked too often; `what` is the kind of question. */
  | { readonly kind: 'rate_overlimit'; readonly what: string }
  /** A message came that could not be read, and was asked for again. */
  | { readonly kind: 'undecryptable' }
  /** Connected, and nothing was heard or answered: the connection is made anew. */
  | { readonly kind: 'deaf' };

/** Why there is no connection. */
export interface Absence {
  readonly reason: SessionReason;
  /** The same in one plain sentence for the account owner. */
  readonly detail: string;
}

/**
 * The network lets this number, or this client, not in for now. Nothing is tried before `retryAt`, by no process and after no restart; then
 * the session comes back by itself.
 */
export interface Refusal extends Absence {
  readonly reason: 'temporarily_banned' | 'client_outdated' | 'client_refused' | 'login_refused';
  /** Epoch ms. */
  readonly retryAt: number;
  /** When it ends, where the network says so (epoch ms). */
  readonly until?: number;
  /** What the number did, by the network's own number for it. */
  readonly code?: number;
}

/** `replaced` means that another process took the link; after all others, nobody will ever be let in with it again. */
export type EndCause = 'logged_out' | 'locked' | 'banned' | 'replaced';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly sessionId: string }
  /** Lost; the next attempt starts at `retryAt` (epoch ms). */
  | ({ readonly kind: 'reconnecting'; readonly retryAt: number } & Absence)
  | ({ readonly kind: 'refused' } & Refusal)
  /** The link has ended on the network's side; the session does nothing more. */
  | { readonly kind: 'ended'; readonly cause: EndCause; readonly detail: string };

export interface NetworkSession {
  readonly linkId: string;
  readonly state: ConnectionState;

  /**
   * Sends one message with the id that the gateway chose and resolves when the network itself has acknowledged it: a written socket is
   * not a sent message. Sending the same id again must repeat the same message, so that receivers drop the copy.
   * Must not fetch URLs, must not look at limits, must not queue: without a connection it rejects with `offline`.
   */
  send(message: OutboundMessage): Promise<void>;

  /**
   * Downloads inbound media into memory and checks it against its hash and MAC.
   * Must not return more than `maxBytes`; a larger file rejects as `permanent` after reading at most that much.
   */
  download(
    media: MediaRef,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<Uint8Array>;

  /**
   * The same for files that are too large for memory: resolves when the network begins to give it, then hands it out as it comes. It is
   * checked while it is read, and what is wrong with it is told at the end, so nobody may use a byte of it before. It may take as long
   * as something comes.
   */
  stream(
    media: MediaRef,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array>>;

  /**
   * The one form of a chat's address, the same in which events name it. People have two, the number and one that hides it, and both are one
   * chat: by the number, unless this session has told of the person before it knew that. What is no person's stays as it is. Asks nobody.
   */
  chatOf(jid: Jid): Promise<Jid>;

  /** Asks the network for a sign of life; rejects as `transient` when none comes within 10 s. For the watchdog. */
  probe(): Promise<void>;

  /** Drops the connection and makes a new one at once, unless the network refuses it for now. Must not lose or repeat an event. */
  reconnect(): void;

  readonly groups: GroupOperations;
  readonly contacts: ContactOperations;
  readonly channels: ChannelOperations;
  readonly presence: PresenceOperations;
  readonly calls: CallOperations;
  readonly chats: ChatOperations;

  /**
   * Unlinks the number on the network, forgets it here, and answers true: the network has said so, or has ended the link before.
   * False when the network could not be asked: then the session is closed and its link kept, so that it can be opened and logged out later.
   */
  logOut(): Promise<boolean>;

  /** Closes the socket, waits for the event call under way, keeps the link. Idempotent. */
  close(): Promise<void>;
}

/** How long the owner has from the moment in which the network asked for a passkey, until the phone has agreed. */
export const PASSKEY_PATIENCE_MS = 600_000;

/** Longest that any call to the network may take. */
export const NETWORK_PATIENCE_MS = 20_000;
