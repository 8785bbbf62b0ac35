import type { EventOf, FailureReason } from '@parley/contract';
import type { NewEvent, PreparedEvent } from '#event-log';
import type { NumberKeeper } from '#history';
import type { NetworkError } from '#network';
import type { Settlement } from './write-commands.ts';

/** What became of one attempt to send. */
export type Outcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly detail: string;
      /** The network's own number of its refusal. */
      readonly code?: number | undefined;
    }
  | { readonly kind: 'postponed'; readonly attempts: number; readonly pauseMs: number }
  | { readonly kind: 'offline' };

/** Told of every attempt that is over, for whoever counts; `seconds` since the message was accepted. */
export type OnTried = (
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

/** What a settlement needs to know of the message that it ends. */
export interface EndingMessage {
  readonly slot_id: string;
  readonly seq: number;
  readonly message_id: string;
  readonly request_id: string;
  readonly to_jid: string;
  readonly session_id: string;
  readonly account_id: string;
}

/** One that may have been sent: what it says, and what the number's webhook asks for, if there is one. */
export interface SentMessage extends EndingMessage {
  readonly sealed: Uint8Array;
  /** How many webhooks of its number want to hear of what the number writes. */
  readonly asking: number;
}

/** A message that was sent, and who takes it. */
export interface Echo {
  readonly event: EventOf<'message'>;
  /** It deletes what somebody else wrote; the network has let the number do so. */
  readonly byAdmin: boolean;
  /** The number's webhook wants to be told. */
  readonly isAskedFor: boolean;
  /** The number keeps its conversations. */
  readonly keeper: NumberKeeper | undefined;
}

/** Of the event that tells how a message ended, which happens once. */
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
  /** The message itself, for those who want to hear of all that the number writes, and for what it keeps. */
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
