import type { EventOf, FailureReason } from '@parley/contract';
import type { NumberKeeper } from '#conversations';
import type { NewEvent, PreparedEvent } from '#events';
import type { NetworkError } from '#network';
import type { Settlement } from './write-commands.ts';

/** Outcome of one attempt to send. */
export type Outcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly detail: string;
      /** The network's own code of its refusal. */
      readonly code?: number | undefined;
    }
  | {
      readonly kind: 'postponed';
      readonly attempts: number;
      readonly pauseMs: number;
      /** What waits: the chat of the message, or everything that the number sends. */
      readonly holds: 'chat' | 'number';
    }
  | { readonly kind: 'offline' };

/** Called after every attempt, for metrics; `seconds` since the message was accepted. */
export type OnAttempted = (
  outcome: 'sent' | 'failed' | 'postponed',
  reason: FailureReason | undefined,
  seconds: number,
) => void;

/** The public reason of a send that can never succeed. */
export function failureOf(error: Pick<NetworkError, 'failure'>): FailureReason {
  switch (error.failure) {
    case 'invalid_recipient':
      return 'INVALID_RECIPIENT';
    case 'media':
      return 'MEDIA_FAILED';
    case 'other':
      return 'SEND_FAILED';
  }
}

/** The columns of a message that its settlement needs. */
export interface EndingMessage {
  readonly slot_id: string;
  readonly seq: number;
  readonly message_id: string;
  readonly request_id: string;
  readonly to_jid: string;
  readonly session_id: string;
  readonly account_id: string;
}

/** A message that may have been sent, sealed, with the demand of its number's webhooks. */
export interface SentMessage extends EndingMessage {
  readonly sealed: Uint8Array;
  /** Number of webhooks of its number that want sent messages. */
  readonly asking: number;
}

/** A sent message and its readers. */
export interface Echo {
  readonly event: EventOf<'message'>;
  /** It deletes a message of another person; the network has let the number do so. */
  readonly byAdmin: boolean;
  /** The number's webhook wants it. */
  readonly isAskedFor: boolean;
  /** The number keeps its conversations. */
  readonly keeper: NumberKeeper | undefined;
}

/** Key of the event for a message's outcome, which is published once. */
export function statusKey(messageId: string): string {
  return `status ${messageId}`;
}

export function settlementOf({
  fence,
  head,
  outcome,
  now,
  prepare,
  echo,
}: {
  fence: Settlement['fence'];
  head: EndingMessage;
  outcome: Extract<Outcome, { kind: 'sent' | 'failed' }>;
  now: number;
  prepare: (event: NewEvent) => PreparedEvent;
  /** The message itself, for webhooks that want sent messages and for the kept history. */
  echo?: Echo | undefined;
}): Settlement {
  const reason = outcome.kind === 'failed' ? outcome.reason : null;
  const { slot_id: slotId, seq, message_id: messageId, account_id: accountId } = head;
  const status: NewEvent = {
    accountId,
    slotId,
    key: statusKey(messageId),
    event: statusEvent(head, outcome, now),
  };
  const echoes: NewEvent[] = echo?.isAskedFor
    ? [{ accountId, slotId, key: `echo ${messageId}`, event: echo.event, extension: 'own_messages' }]
    : [];
  return {
    slotId,
    seq,
    messageId,
    fence,
    status: outcome.kind,
    reason,
    at: now,
    accountId,
    to: head.to_jid,
    sessionId: head.session_id,
    code: (outcome.kind === 'failed' ? outcome.code : undefined) ?? null,
    events: [status, ...echoes].map(prepare),
    kept: echo?.keeper?.message(echo.event, { byAdmin: echo.byAdmin }) ?? [],
  };
}

function statusEvent(
  head: EndingMessage,
  outcome: Extract<Outcome, { kind: 'sent' | 'failed' }>,
  now: number,
): EventOf<'status'> {
  return {
    kind: 'status',
    session_id: head.session_id,
    request_id: head.request_id,
    message_id: head.message_id,
    ...(outcome.kind === 'sent' ? { network_message_id: head.message_id } : {}),
    to: head.to_jid,
    status: outcome.kind,
    ...(outcome.kind === 'failed' ? { reason: outcome.reason, detail: outcome.detail } : {}),
    timestamp_unix: Math.floor(now / 1_000),
  };
}
