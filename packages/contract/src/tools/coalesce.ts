/**
 * Never runs `work` concurrently. Calls during a run share one further run after it, so that the run of a call always begins
 * after the call.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }

  return () => {
    // Checked before `running`, which is unset between two runs.
    if (next) return next;
    if (!running) return begin();
    next = Promise.allSettled([running]).then(begin);
    return next;
  };
}
