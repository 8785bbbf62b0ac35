/** Works on one after the other. What fails holds up none of those behind it; the first failure is thrown when all have had their turn. */
export async function eachInTurn<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (stopping?.aborted) break;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
