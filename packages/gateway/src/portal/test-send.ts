import { type MessageAccepted, PORTAL_TEST_SEND_INTERVAL_SECONDS, type SendRequest } from '@parley/contract';
import type { OwnedNumber } from '#http';
import { fault } from '#kernel';
import { acceptSend } from '#messages';
import type { PortalContext } from './context.ts';

const ONE_AT_A_TIME = { intervalMs: PORTAL_TEST_SEND_INTERVAL_SECONDS * 1_000, burst: 1 };

/** A send like any other, which draws on the number's budget and is rarer still. One that is refused leaves no trace. */
export async function testSend(
  { sends, limiter }: Pick<PortalContext, 'sends' | 'limiter'>,
  number: OwnedNumber,
  send: SendRequest,
  idempotencyKey: string | undefined,
): Promise<MessageAccepted> {
  const draws = [{ name: `test send ${number.slotId}`, limit: ONE_AT_A_TIME }];
  const waitMs = await limiter.take(draws);
  if (waitMs > 0) throw fault('test_send_too_soon', { retryAfterSeconds: waitMs / 1_000 });
  try {
    return await acceptSend(sends, number, send, idempotencyKey ?? `portal-${sends.ids.message()}`, () => {});
  } catch (error) {
    await limiter.giveBack(draws);
    throw error;
  }
}
