import type { Call, CallOptions, SendOptions } from './call.ts';
import { ParleyError } from './errors.ts';
import { messages } from './generated/methods.ts';
import type { MessageAccepted, MessageRecord, SendBody, SendDisappearing } from './generated/types.ts';
import type { Platform } from './platform.ts';

/** Accepted message with its id. A timer is a setting and has none. */
export type AcceptedMessage = MessageAccepted & { message_id: string };

export type MessageStatus = MessageRecord['status'];

export interface WaitOptions extends CallOptions {
  /** Status to wait for; a later one counts as well. Default: `delivered`. */
  readonly status?: Exclude<MessageStatus, 'failed'> | undefined;
  /** Total timeout. Default: 60000. */
  readonly withinMs?: number | undefined;
}

/** An accepted message could not be sent. */
export class MessageFailedError extends Error {
  override readonly name = 'MessageFailedError';
  readonly record: MessageRecord;

  constructor(record: MessageRecord) {
    super(`message ${record.message_id} failed: ${record.reason ?? 'no reason given'}`);
    this.record = record;
  }
}

/** Statuses of a message, in order. */
const WAY: readonly MessageStatus[] = ['accepted', 'sent', 'delivered', 'read', 'played'];
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

export function messagesOf(call: Call, platform: Platform) {
  const methods = messages(call);

  /**
   * Queues a message. Its outcome arrives as `status` and `receipt` events, or is polled by `waitForStatus`. Carries an
   * Idempotency-Key, so that a retry after a lost answer sends nothing twice.
   */
  function send(body: SendDisappearing, options?: SendOptions): Promise<MessageAccepted>;
  function send(body: Exclude<SendBody, SendDisappearing>, options?: SendOptions): Promise<AcceptedMessage>;
  function send(body: SendBody, options?: SendOptions): Promise<MessageAccepted>;
  function send(body: SendBody, options?: SendOptions): Promise<MessageAccepted> {
    return methods.send(body, options);
  }

  /**
   * Polls a message until it has reached the given status. Throws a `MessageFailedError` when it fails, and a `ParleyError` with
   * code `timed_out` when it does not reach the status in time.
   */
  async function waitForStatus(messageId: string, options: WaitOptions = {}): Promise<MessageRecord> {
    const { status = 'delivered', withinMs = 60_000, ...callOptions } = options;
    const deadline = platform.now() + withinMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const record = await methods.get(messageId, callOptions);
      if (record.status === 'failed') throw new MessageFailedError(record);
      if (WAY.indexOf(record.status) >= WAY.indexOf(status)) return record;
      if (platform.now() + pauseMs > deadline) {
        const text = `message ${messageId} was ${record.status}, not ${status}, after ${withinMs} ms`;
        throw new ParleyError(text, { status: 0, code: 'timed_out' });
      }
      await platform.sleep(pauseMs, options.signal);
    }
  }

  return { ...methods, send, waitForStatus };
}
