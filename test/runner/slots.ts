/**
 * Runs all jobs, as many at once as fit: each occupies its share of the slots, and whenever some are free, the first waiting job
 * that fits starts.
 */
export async function runInSlots<Job extends { readonly slots: number }>(
  slots: number,
  jobs: readonly Job[],
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const waiting = [...jobs];
  const running = new Set<Promise<void>>();
  let free = slots;
  // A job larger than all slots gets all of them.
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
