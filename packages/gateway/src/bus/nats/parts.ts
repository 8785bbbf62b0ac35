/** A payload, or what fits of it into one message of the server. */
export interface Part {
  readonly index: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Cuts what is too long for one message. */
export function split(bytes: Uint8Array, most: number): Part[] {
  const count = Math.max(1, Math.ceil(bytes.length / most));
  return Array.from({ length: count }, (_, index) => ({
    index,
    count,
    bytes: bytes.subarray(index * most, (index + 1) * most),
  }));
}

/** Puts parts together again. They come in order, so one that does not fit belongs to something whose beginning was lost. */
export interface Assembly {
  /** The whole payload with its last part, undefined before. `key` tells payloads apart. */
  add(key: string, part: Part): Uint8Array | undefined;
  forget(key: string): void;
}

/** Unfinished payloads; the oldest is given up for one more. Nobody sends so many large ones at once. */
const UNFINISHED_MAX = 64;

export function createAssembly(): Assembly {
  const unfinished = new Map<string, Uint8Array[]>();
  return {
    add(key, { index, count, bytes }) {
      if (count === 1) return bytes;
      const parts = unfinished.get(key) ?? [];
      if (index !== parts.length) {
        unfinished.delete(key);
        return undefined;
      }
      parts.push(bytes);
      if (parts.length === count) {
        unfinished.delete(key);
        return Buffer.concat(parts);
      }
      unfinished.set(key, parts);
      const [oldest] = unfinished.keys();
      if (unfinished.size > UNFINISHED_MAX && oldest !== undefined) unfinished.delete(oldest);
      return undefined;
    },
    forget: (key) => void unfinished.delete(key),
  };
}
