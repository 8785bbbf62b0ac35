import { atEndOfTurn } from '#kernel';
import type { WorkMetrics } from './work.ts';

/** What was done in another thread of this process, on its way to where it is counted. */
export type WorkReport = readonly (readonly [what: keyof WorkMetrics, details: readonly unknown[]])[];

/** Counts nothing by itself: what is done in one turn of the event loop is reported together. A thread that ends takes no count with it. */
export function reportWork(report: (work: WorkReport) => void): WorkMetrics {
  let done: [keyof WorkMetrics, readonly unknown[]][] = [];
  const note =
    (what: keyof WorkMetrics) =>
    (...details: readonly unknown[]): void => {
      if (done.length === 0)
        atEndOfTurn(() => {
          const whole = done;
          done = [];
          report(whole);
        });
      done.push([what, details]);
    };
  return {
    accepted: note('accepted'),
    sendTried: note('sendTried'),
    received: note('received'),
    quarantined: note('quarantined'),
    deliveryTried: note('deliveryTried'),
    deliveryEnded: note('deliveryEnded'),
    paired: note('paired'),
    committed: note('committed'),
  };
}

export function countReported(work: WorkMetrics, report: WorkReport): void {
  // Each was noted under its own name, with what it takes.
  for (const [what, details] of report) (work[what] as (...all: readonly unknown[]) => void)(...details);
}
