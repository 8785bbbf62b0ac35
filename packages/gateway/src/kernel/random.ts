import { randomBytes, randomInt } from 'node:crypto';

/** Source of randomness; tests inject a seeded one. */
export interface Random {
  bytes(length: number): Uint8Array;
  /** An integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number;
  /** From 0 (inclusive) to 1 (exclusive). Fine for jitter, not for secrets. */
  fraction(): number;
}

const POOL_BYTES = 8_192;
let pool = Buffer.alloc(0);
let poolUsed = 0;

/** Serves small draws from one large one: a system call for each would cost more than the bytes' use. */
function drawBytes(length: number): Uint8Array {
  if (length > POOL_BYTES / 8) return randomBytes(length);
  if (poolUsed + length > pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolUsed = 0;
  }
  poolUsed += length;
  return Uint8Array.prototype.slice.call(pool, poolUsed - length, poolUsed);
}

export const systemRandom: Random = {
  bytes: drawBytes,
  below: (limit) => randomInt(limit),
  fraction: () => Math.random(),
};

/** The same seed always gives the same sequence (mulberry32). Never for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(fraction() * limit);
  return { fraction, below, bytes: (length) => Uint8Array.from({ length }, () => below(256)) };
}
