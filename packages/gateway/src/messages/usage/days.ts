import { DAY_MS } from '#kernel';

/** By UTC, counted from 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
