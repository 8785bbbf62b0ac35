import type { Clock, Timer } from '../time/clock.ts';
import { neverRejects } from './background.ts';

/** As often as leases are renewed, and a bit more. */
const ASK_EVERY_MS = 2_000;

/**
 * Finds out that a thread hangs: that it has answered nothing for so long. Only turns count in which this thread was at work itself: after a
 * moment in which the whole process stood still, the answers are there before the next question is due.
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
    neverRejects(hear());
    timer = clock.after(ASK_EVERY_MS, look);
  }

  async function hear(): Promise<void> {
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
