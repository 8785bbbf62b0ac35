import type { PasskeyCredential, PasskeyOptions, SessionReason } from '@parley/contract';
import type { Jid, MediaRef, OutboundMessage } from './content.ts';
import { NetworkError } from './errors.ts';
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
 * Port to a messaging network. Production uses one driver (`whatsapp/`), tests a small one over the sandbox's world (`testing/fake/`);
 * both pass the same conformance suite (`testing/conformance/`).
 * Rules for every method, unless its comment says otherwise:
 * - it settles within 20 s (`NETWORK_PATIENCE_MS`), whatever the network does;
 * - it rejects with a `NetworkError` and nothing else;
 * - it must not retry, must not log content, keys or codes, and must not call back after `close()` has resolved.
 */
export interface NetworkDriver {
  /**
   * Starts one pairing attempt. Its credentials are stored under `linkId` in the gateway's own store, sealed. Must not open a session:
   * when the attempt reports `paired`, its socket is gone and the caller opens the session.
   */
  pair(request: PairingRequest): PairingAttempt;

  /**
   * Opens the session of a linked number and returns at once; the session connects in the background and stays connected: after a drop
   * it reconnects with a growing, jittered pause until it is closed or its link has ended. It connects no more often than an official
   * client.
   * A `linkId` without stored credentials ends as `logged_out`, without contacting the network.
   * Must not be called twice for one `linkId` without closing the first: two sockets on one ratchet corrupt it.
   */
  open(request: OpenRequest): NetworkSession;

  /** Deletes everything stored under `linkId`: credentials, keys, caches, journal. Must not contact the network. Idempotent. */
  forget(linkId: string): Promise<void>;

  /** Closes every attempt and session. Must not log anything out. */
  close(): Promise<void>;
}

export interface PairingRequest {
  /** Id of the credentials; chosen by the gateway, one per attempt. */
  readonly linkId: string;
  /** International digits without `+`: the number that is allowed to answer this attempt. */
  readonly phone: string;
  readonly method: 'qr' | 'code';
  /** Called in order, never concurrently, never after `paired`, `failed` or `cancel()`. Must not throw. */
  readonly onProgress: (progress: PairingProgress) => void;
}

export type PairingProgress =
  /** A payload to draw as QR image, valid until `expiresAt` (epoch ms); a fresh one follows automatically. */
  | { readonly kind: 'qr'; readonly qr: string; readonly expiresAt: number }
  /** Eight characters, no hyphen. */
  | { readonly kind: 'code'; readonly code: string }
  /** Linked; `phone` is checked against the request, a scan by another number fails the attempt and unlinks it again. */
  | { readonly kind: 'paired'; readonly sessionId: string; readonly lid?: Jid; readonly pushName?: string }
  /**
   * The account is guarded by a passkey: its phone waits for an assertion for `options` (`answerPasskey`). `options` is the network's
   * own JSON, passed through unchanged. Valid until `expiresAt` (epoch ms); no QR or code follows. A secret, as is everything derived
   * from it.
   */
  | { readonly kind: 'passkey'; readonly options: PasskeyOptions; readonly expiresAt: number }
  /** The owner compares these eight characters (no hyphen) with those on the phone, then `confirm()`. */
  | { readonly kind: 'confirm'; readonly code: string; readonly expiresAt: number }
  /**
   * Ended; everything under `linkId` has been deleted. `reason` is one plain sentence for the account owner; `cause` is its machine
   * name when the passkey was the reason.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: PasskeyFailure };

export type PasskeyFailure =
  /** The network has nothing to sign: the account has no passkey yet. */
  | 'no_passkey'
  /** The network refused the assertion. */
  | 'refused'
  /** The assertion or the confirmation did not come in time. */
  | 'expired'
  /** The assertion was accepted, but the phone did not continue. */
  | 'not_continued'
  /** The phone kept restarting the ceremony, and each assertion came too late for it. */
  | 'superseded';

export interface PairingAttempt {
  /** Passes on the requested assertion; progress reports the outcome. Ignored when none is requested, or a second time. */
  answerPasskey(credential: PasskeyCredential): void;
  /** The owner confirms that phone and page show the same. Ignored without a request. */
  confirm(): void;
  /** Ends the attempt and deletes its data. A phone that scans afterwards finds nothing. Idempotent. */
  cancel(): Promise<void>;
}

export interface OpenRequest {
  readonly linkId: string;
  /** Grows with every owner of this number; the store must refuse writes on behalf of an older owner. */
  readonly fence: number;
  /** Called with every change, in order. Must not throw. */
  readonly onState: (state: ConnectionState) => void;
  /**
   * Called with every report of the network about the number's health, in order; also on every connect, after a refusal 463 (at most
   * once a minute) and once a day. Must not throw.
   */
  readonly onStanding: (news: NumberHealthChange) => void;
  /**
   * Called with people with whom the number had a chat before it was linked, as its phone reports. Repeated when it was not accepted,
   * also after a crash.
   */
  readonly onKnownPeople?: (people: readonly Jid[]) => Promise<void>;
  /**
   * Returns the receiver of a history that the phone sends; undefined to skip its messages. The history is repeated from its beginning
   * until `end` has resolved, also after a crash. Not an event: its messages precede the linking.
   */
  readonly onPast?: (history: PastHistory) => PastTaker | undefined;
  /**
   * Receives events in the order of the network. The driver forgets an event only after this promise has resolved; durable events that
   * were not accepted are repeated after a crash or a rejection, with the same `id`. At most one call is in progress per session.
   */
  readonly onEvents: (events: readonly NetworkEvent[]) => Promise<void>;
}

export type NumberHealthChange =
  /** Whether the number may write to people it has no chat with. `type` is the network's own term (`RESTRICT_ALL_COMPANIONS` …). */
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
  /** The network refused to answer because of too many queries; `what` is the kind of query. */
  | { readonly kind: 'rate_overlimit'; readonly what: string }
  /** An undecryptable message arrived, and was requested again. */
  | { readonly kind: 'undecryptable' }
  /** Connected, but unresponsive: the session reconnects. */
  | { readonly kind: 'deaf' };

/** What the network asks the owner of a linked number at a login; or why its last question came to nothing. */
export type LoginQuestion =
  | Extract<PairingProgress, { kind: 'passkey' | 'confirm' }>
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: PasskeyFailure };

/**
 * Answers of the owner to a login that asks for a passkey. The state's `question` shows what is asked; an answer to
 * anything else is ignored.
 */
export interface LoginAnswers extends Omit<PairingAttempt, 'cancel'> {
  /** Logs in, so that the network asks, as soon as the last login is a minute old. Ignored while a question is shown. */
  ask(): void;
  /** Ends the question: the codes differ. The next login waits for its time. */
  refuse(): void;
}

/** Why there is no connection. */
export interface OfflinePeriod {
  readonly reason: SessionReason;
  /** The same in one plain sentence for the account owner. */
  readonly detail: string;
}

/**
 * The network refuses this number, or this client, for now. No process connects before `retryAt`, not even after a restart; then the
 * session reconnects automatically.
 */
export interface Refusal extends OfflinePeriod {
  readonly reason: 'temporarily_banned' | 'client_outdated' | 'client_refused' | 'login_refused';
  /** Epoch ms. */
  readonly retryAt: number;
  /** When it ends, if the network says so (epoch ms). */
  readonly until?: number;
  /** The network's own code of the violation. */
  readonly code?: number;
}

/** `replaced`: another process took the link over; after all others the link is never accepted again. */
export type EndCause = 'logged_out' | 'locked' | 'banned' | 'replaced';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly sessionId: string }
  /**
   * Lost; the next attempt starts at `retryAt` (epoch ms). With `passkey_required` the network lets the number in
   * after its owner has answered; without a question it is about to ask, or asks at the next attempt.
   */
  | ({
      readonly kind: 'reconnecting';
      readonly retryAt: number;
      readonly question?: LoginQuestion;
    } & OfflinePeriod)
  | ({ readonly kind: 'refused' } & Refusal)
  /** The link has ended on the network's side; the session stays closed. */
  | { readonly kind: 'ended'; readonly cause: EndCause; readonly detail: string };

export interface NetworkSession {
  readonly linkId: string;
  readonly state: ConnectionState;

  /**
   * Sends one message with the id that the gateway chose and resolves when the network itself has acknowledged it: a written socket is
   * not a sent message. Sending the same id again must repeat the same message, so that receivers drop the copy.
   * Must not fetch URLs, must not check limits, must not queue: without a connection it rejects with `offline`.
   */
  send(message: OutboundMessage): Promise<void>;

  /**
   * Downloads inbound media into memory and verifies its hash and MAC. Must not return more than `maxBytes`; a larger file rejects as
   * `permanent` after reading at most that much.
   */
  download(
    media: MediaRef,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<Uint8Array>;

  /**
   * The same for files that are too large for memory: resolves when the response begins, then streams it. The file is verified while
   * it is read, and a failure is reported at the end, so no byte may be used before. It may take as long as data arrives.
   */
  stream(
    media: MediaRef,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array>>;

  /**
   * Canonical address of a chat, as used in events. A person has two, the number and one that hides it, and both are one chat: by the
   * account's own number, unless this session has published events of the person before it knew the number. Other addresses stay unchanged. Sends no
   * query.
   */
  chatOf(jid: Jid): Promise<Jid>;

  /** Requests a sign of life from the network; rejects as `transient` when none arrives within 10 s. For the watchdog. */
  probe(): Promise<void>;

  /** Drops the connection and reconnects at once, unless the network refuses it for now. Must not lose or repeat an event. */
  reconnect(): void;

  readonly login: LoginAnswers;

  readonly groups: GroupOperations;
  readonly contacts: ContactOperations;
  readonly channels: ChannelOperations;
  readonly presence: PresenceOperations;
  readonly calls: CallOperations;
  readonly chats: ChatOperations;

  /**
   * Unlinks the number on the network, forgets it here, and returns true: the network has confirmed it, or had ended the link before.
   * Returns false when the network was unreachable: then the session is closed and its link kept, so that it can be opened and logged
   * out later.
   */
  logOut(): Promise<boolean>;

  /** Closes the socket, waits for the event call in progress, keeps the link. Idempotent. */
  close(): Promise<void>;
}

/** How long the owner has from the network's passkey request until the phone has agreed. */
export const PASSKEY_PATIENCE_MS = 600_000;

/** Maximum duration of any call to the network. */
export const NETWORK_PATIENCE_MS = 20_000;

/** One response may be lost on a sound connection, so a second one is requested. */
export async function probeTwice(session: Pick<NetworkSession, 'probe'>): Promise<void> {
  try {
    await session.probe();
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    await session.probe();
  }
}
