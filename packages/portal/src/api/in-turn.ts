/**
 * Work that is done once at a time. Whoever asks for it meanwhile waits for one more time, which all of them share: so a gateway that answers
 * more slowly than it is asked is not flooded, and each answer is shown.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }

  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
}
