/**
 * Runs all in their order, as many at once as there is room for: each takes its share of the slots, and whenever some are free, the first
 * that fits into them begins.
 */
export async function runInSlots<Job extends { readonly slots: number }>(
  slots: number,
  jobs: readonly Job[],
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const waiting = [...jobs];
  const running = new Set<Promise<void>>();
  let free = slots;
  // What is larger than all of them together gets all of them.
  const shareOf = (job: Job): number => Math.min(job.slots, slots);

  while (waiting.length + running.size > 0) {
    const next = waiting.find((job) => shareOf(job) <= free);
    if (!next) {
      await Promise.race(running);
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    free -= shareOf(next);
    const ended = run(next).finally(() => {
      free += shareOf(next);
      running.delete(ended);
    });
    running.add(ended);
  }
}
