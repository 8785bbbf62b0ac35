import type { Clock, Timer } from '../time/clock.ts';
import { neverRejects } from './background.ts';

/** Slightly more often than leases are renewed. */
const ASK_EVERY_MS = 2_000;

/**
 * Detects an unresponsive thread. Counts only turns in which this thread was running itself: after a pause of the whole process,
 * pending answers arrive before the next question is due.
 */
export function watchThread({
  ask,
  clock,
  hungAfterMs,
  onHang,
}: {
  /** Resolves when the thread has answered; rejects when it has ended. */
  ask: () => Promise<unknown>;
  clock: Pick<Clock, 'after'>;
  hungAfterMs: number;
  onHang: () => void;
}): { stop(): void } {
  const most = Math.ceil(hungAfterMs / ASK_EVERY_MS);
  let timer: Timer | undefined;
  let unanswered = 0;

  function look(): void {
    if (unanswered >= most) {
      onHang();
      return;
    }
    unanswered++;
    neverRejects(onBeat());
    timer = clock.after(ASK_EVERY_MS, look);
  }

  async function onBeat(): Promise<void> {
    const [answer] = await Promise.allSettled([ask()]);
    if (answer.status === 'fulfilled') unanswered = 0;
    else stop();
  }

  function stop(): void {
    timer?.cancel();
  }

  look();
  return { stop };
}
