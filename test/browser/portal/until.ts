import { createSystemClock } from '@parley/gateway/kernel';

const PATIENCE_MS = 20_000;
const clock = createSystemClock();

/** Asks again and again until the answer is something; fails when that takes too long. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const giveUpAt = clock.monotonic() + PATIENCE_MS;
  while (clock.monotonic() < giveUpAt) {
    const seen = await look();
    if (seen) return seen;
    await clock.sleep(50);
  }
  throw new Error('it did not happen in time');
}
