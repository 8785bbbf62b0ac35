import { bareJid, type SendRequest } from '@parley/contract';
import { type JobLog, pauseBeforeRetry, type Random, SEND_RETRIES, type SealedBox } from '#kernel';
import { NetworkError, type NetworkSession, probeTwice } from '#network';
import type { Store } from '#platform/store';
import { contentOf } from '../kinds/kinds.ts';
import { acceptedAt } from '../message-queries.ts';
import { openSend } from '../sealed-send.ts';
import type { FetchedMedia } from './media-spool.ts';
import type { QueuedMessage } from './outbox-queries.ts';
import { failureOf, type Outcome } from './outcome.ts';

interface AttemptContext {
  readonly store: Store;
  readonly random: Pick<Random, 'fraction'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  readonly log: JobLog;
}

type Sender = Pick<NetworkSession, 'send' | 'probe' | 'reconnect'>;

/** The network's code for a number that sends or asks too much, to any recipient. */
const TOO_MANY = 429;

/** Sends a message under its id, waits for the network's ack and returns the outcome. */
export async function attempt(
  context: AttemptContext,
  session: Sender,
  head: QueuedMessage,
  /** Absent when the message needs no file. */
  fetched: Promise<FetchedMedia> | undefined,
): Promise<Outcome> {
  try {
    await using media = await fetched;
    const send = await withQuotedAuthor(context.store, head, openSend(context.sealedBox, head));
    await session.send({
      messageId: head.message_id,
      ...('to' in send ? { to: send.to } : {}),
      content: contentOf(send, media),
      acceptedAt: head.accepted_at,
    });
    return { kind: 'sent' };
  } catch (error) {
    const failure = known(error, context.log, head);
    if (failure.unanswered && !(await isAlive(session))) return { kind: 'offline' };
    return outcomeOf(failure, head.attempts + 1, context.random);
  }
}

/**
 * An unresponsive connection has not failed this message: it costs no attempt, and the session reconnects. If the
 * network did take the message, it is not reported as failed, because the retry finds the same id there.
 */
async function isAlive(session: Sender): Promise<boolean> {
  try {
    await probeTwice(session);
    return true;
  } catch (error) {
    // The driver may have noticed already, and knows how long to wait.
    if (!(error instanceof NetworkError && error.kind === 'offline')) session.reconnect();
    return false;
  }
}

/** A bug must not block the chat for ever: it costs attempts like any temporary failure. */
function known(error: unknown, log: JobLog, { message_id: messageId }: QueuedMessage): NetworkError {
  if (error instanceof NetworkError) return error;
  log.error({ err: error, messageId }, 'a send failed with an unexpected error');
  return new NetworkError('transient', 'The gateway failed unexpectedly.', { cause: error });
}

function outcomeOf(error: NetworkError, attempts: number, random: Pick<Random, 'fraction'>): Outcome {
  const detail = error.message;
  if (error.kind === 'offline') return { kind: 'offline' };
  if (error.kind !== 'transient')
    return { kind: 'failed', reason: failureOf(error), detail, code: error.code };
  const pauseMs = pauseBeforeRetry(SEND_RETRIES, attempts, random);
  return pauseMs === undefined
    ? { kind: 'failed', reason: 'RETRIES_EXHAUSTED', detail }
    : { kind: 'postponed', attempts, pauseMs, holds: error.code === TOO_MANY ? 'number' : 'chat' };
}

/**
 * Completes a reply without the author of its quote. In a direct chat the network takes the quote for the other
 * person's, which is wrong when the number answers itself.
 */
async function withQuotedAuthor(
  store: Store,
  { slot_id, session_id }: QueuedMessage,
  send: SendRequest,
): Promise<SendRequest> {
  if (!('quoted_message_id' in send) || send.quoted_message_id === undefined || send.quoted_participant) {
    return send;
  }
  const own = await acceptedAt(store, slot_id, send.quoted_message_id);
  return own !== undefined ? { ...send, quoted_participant: bareJid(session_id) } : send;
}
