export const DAY_MS = 86_400_000;

/** By UTC, counted from 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
