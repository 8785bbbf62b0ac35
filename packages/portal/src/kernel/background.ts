/** Hears of work that failed while nothing waited for it. */
type FailureListener = (thrown: unknown) => void;

const listeners = new Set<FailureListener>();

/** Lets `work` go on by itself. When it fails, the browser's console has the error, and the page shows it. */
export function inBackground(work: Promise<unknown>): void {
  work.catch((thrown: unknown) => {
    reportError(thrown);
    for (const hear of listeners) hear(thrown);
  });
}

/** The answer stops it. */
export function onFailure(hear: FailureListener): () => void {
  listeners.add(hear);
  return () => void listeners.delete(hear);
}
