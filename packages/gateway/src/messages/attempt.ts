import type { SendRequest } from '@parley/contract';
import { pauseBeforeRetry, type Random, SEND_RETRIES, type SealedBox } from '#kernel';
import { NetworkError, type NetworkSession } from '#network';
import type { ChoreLog } from './chore.ts';
import { contentOf, mediaOf } from './kinds/index.ts';
import type { FetchedFile, MediaSpool } from './media.ts';
import { failureOf, type Outcome } from './outcome.ts';
import type { QueuedMessage } from './queue.ts';
import { openSend } from './sealed-send.ts';

export interface AttemptContext {
  readonly random: Pick<Random, 'fraction'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  readonly spool: MediaSpool;
  readonly log: ChoreLog;
}

type Sender = Pick<NetworkSession, 'send'>;

/** Tries to send a message once and says what became of it. */
export async function attempt(
  context: AttemptContext,
  session: Sender,
  head: QueuedMessage,
  stopping: AbortSignal,
): Promise<Outcome> {
  try {
    const send = openSend(context.sealedBox, head);
    await transmit(session, head.message_id, send, context.spool, stopping);
    return { kind: 'sent' };
  } catch (error) {
    return outcomeOf(known(error, context.log, head), head.attempts + 1, context.random);
  }
}

/** Puts a send on the network under its id and waits for the network's ack. */
function transmit(
  session: Sender,
  messageId: string,
  send: SendRequest,
  spool: MediaSpool,
  stopping: AbortSignal,
): Promise<void> {
  const deliver = (file?: FetchedFile): Promise<void> =>
    session.send({ messageId, ...('to' in send ? { to: send.to } : {}), content: contentOf(send, file) });
  const need = mediaOf(send);
  return need ? spool.withFile(need, deliver, stopping) : deliver();
}

/** A bug must not hold up all that the number has to send for ever: it costs attempts like any failure that may pass. */
function known(error: unknown, log: ChoreLog, { message_id: messageId }: QueuedMessage): NetworkError {
  if (error instanceof NetworkError) return error;
  log.error({ err: error, messageId }, 'a send failed in a way that nobody foresaw');
  return new NetworkError('transient', 'The gateway failed unexpectedly.', { cause: error });
}

function outcomeOf(error: NetworkError, attempts: number, random: Pick<Random, 'fraction'>): Outcome {
  const detail = error.message;
  if (error.kind === 'offline') return { kind: 'offline' };
  if (error.kind !== 'transient') return { kind: 'failed', reason: failureOf(error), detail };
  const pauseMs = pauseBeforeRetry(SEND_RETRIES, attempts, random);
  return pauseMs === undefined
    ? { kind: 'failed', reason: 'RETRIES_EXHAUSTED', detail }
    : { kind: 'postponed', attempts, pauseMs };
}
