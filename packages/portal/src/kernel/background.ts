/** Receives failures of background work. */
type FailureListener = (thrown: unknown) => void;

const listeners = new Set<FailureListener>();

/** Runs `work` without awaiting it. A failure goes to the browser's console and to the page. */
export function inBackground(work: Promise<unknown>): void {
  work.catch((thrown: unknown) => {
    reportError(thrown);
    for (const listener of listeners) listener(thrown);
  });
}

/** Returns the function that removes the listener. */
export function onFailure(listener: FailureListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
