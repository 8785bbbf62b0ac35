/**
 * Never runs `work` twice at once. A call while it runs gets another run after it, which all calls of that time share, so that the run that a
 * call gets always begins after the call.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    next = undefined;
    const mine = work();
    running = Promise.allSettled([mine]).then(() => {
      running = undefined;
    });
    return mine;
  }

  return () => {
    // Before `running`: between two runs neither is under way.
    if (next) return next;
    if (!running) return begin();
    next = running.then(begin);
    return next;
  };
}
