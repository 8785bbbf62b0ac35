/**
 * Kinds of failed network calls, which the rest of the gateway acts upon:
 *
 * - `permanent`   cannot succeed when repeated (a send then fails with `reason`)
 * - `transient`   may succeed later: lost connection, timeout, a busy network
 * - `refused`     the network understood and said no: not an admin, hidden, blocked
 * - `not_found`   the group, contact, channel, invite or picture does not exist
 * - `malformed`   the network will never accept this request for this account
 * - `offline`     there is no connection; nothing was attempted
 */
export type NetworkErrorKind = 'permanent' | 'transient' | 'refused' | 'not_found' | 'malformed' | 'offline';

/** Why a send can never succeed; becomes the public `reason` of a failed message. */
export type SendFailure = 'invalid_recipient' | 'media' | 'other';

export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind: NetworkErrorKind;
  readonly failure: SendFailure;
  /** No response on an open connection: the request may have been executed, or the connection may be dead. */
  readonly unanswered: boolean;
  /** The network's own error code (463, 479, 429 …), if it gave one. */
  readonly code: number | undefined;

  /** `text` may reach a caller: one plain sentence without ids of other people, library text or secrets. */
  constructor(
    kind: NetworkErrorKind,
    text: string,
    options: { failure?: SendFailure; unanswered?: boolean; code?: number; cause?: unknown } = {},
  ) {
    super(text, { cause: options.cause });
    this.kind = kind;
    this.failure = options.failure ?? 'other';
    this.unanswered = options.unanswered ?? false;
    this.code = options.code;
  }
}
