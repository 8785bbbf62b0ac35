import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageAccepted } from '@parley/contract';
import type { Gateway } from '../../conformance/gateway.ts';
import { linkNumber, newPhone } from '../linked-number.ts';

/** A linked number that writes to a friend, one message after the other. */
export interface BusyNumber {
  readonly phone: string;
  readonly friend: string;
  /** What was accepted, in order: the text and the id that it was given. */
  readonly accepted: readonly { readonly text: string; readonly messageId: string }[];
  /** Sends as fast as the gateway allows until told to stop; what was begun is repeated under its key until it is accepted. */
  keepSending(stop: AbortSignal): Promise<void>;
}

const TRY_AGAIN_MS = 50;

export async function linkBusyNumber(
  gateway: Gateway,
  urls: { readonly status_url: string; readonly messages_url?: string },
): Promise<BusyNumber> {
  const friend = await newPhone(gateway);
  const { phone, sessionId, call } = await linkNumber(gateway);
  await call('POST', '/webhooks', { session_id: sessionId, ...urls });

  const accepted: { text: string; messageId: string }[] = [];

  async function sendOne(text: string): Promise<void> {
    for (;;) {
      // Nobody listens while the gateway is dead.
      const answer = await call<MessageAccepted>(
        'POST',
        '/messages',
        { session_id: sessionId, to: friend, text },
        text,
      ).catch(() => undefined);
      if (answer?.status === 202) {
        accepted.push({ text, messageId: answer.body.message_id ?? '' });
        return;
      }
      await sleep(TRY_AGAIN_MS);
    }
  }

  return {
    phone,
    friend,
    accepted,
    async keepSending(stop) {
      while (!stop.aborted) await sendOne(`${phone} ${accepted.length + 1}`);
    },
  };
}
