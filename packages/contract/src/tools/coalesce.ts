/**
 * Never runs `work` twice at once. A call while it runs gets another run after it, which all calls of that time share, so that the run that a
 * call gets always begins after the call.
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
    // Before `running`: between two runs neither is under way.
    if (next) return next;
    if (!running) return begin();
    next = Promise.allSettled([running]).then(begin);
    return next;
  };
}
