import { createSystemClock } from '@parley/gateway/kernel';

/** A busy machine must make a test slow, not red. */
export const PATIENCE_MS = 30_000;
const clock = createSystemClock();

/** Polls until the answer is defined; fails after the time limit. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const giveUpAt = clock.monotonic() + PATIENCE_MS;
  while (clock.monotonic() < giveUpAt) {
    const seen = await look();
    if (seen) return seen;
    await clock.sleep(50);
  }
  throw new Error('no answer in time');
}

const QUIET_LOOKS = 8;

/** Waits until nothing more arrives for a while: everything in flight has arrived, and the clock may jump. */
export async function untilQuiet(count: () => number): Promise<void> {
  let last = -1;
  let quietLooks = 0;
  await until(() => {
    quietLooks = count() === last ? quietLooks + 1 : 0;
    last = count();
    return quietLooks >= QUIET_LOOKS;
  });
}
