import { type Delivery, WEBHOOK_RETRY_DELAYS_SECONDS } from '@parley/contract';
import { until } from '../until.ts';
import type { PortalGateway } from './gateway.ts';

/** Upper bound of the jitter of a pause between attempts, which is up to a tenth. */
const LONGEST_PAUSE = 1.15;

/**
 * Advances the clock until the gateway gives up a refused delivery. Waits for each attempt to be recorded first: its pause would
 * otherwise begin after the jump.
 */
export async function untilGivenUp(
  gateway: PortalGateway,
  list: () => Promise<{ deliveries: readonly Delivery[] }>,
): Promise<void> {
  const wereAttempted = async (times: number): Promise<boolean> => {
    const { deliveries } = await list();
    return deliveries.length > 0 && deliveries.every(({ attempts }) => attempts.length >= times);
  };
  for (const [retries, pause] of WEBHOOK_RETRY_DELAYS_SECONDS.entries()) {
    await until(() => wereAttempted(retries + 1));
    await gateway.sandbox('POST', '/clock', { advance_seconds: Math.ceil(pause * LONGEST_PAUSE) });
  }
  await until(() => wereAttempted(WEBHOOK_RETRY_DELAYS_SECONDS.length + 1));
}
