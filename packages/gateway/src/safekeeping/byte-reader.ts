import { UnopenableFile } from '#kernel';

/** Takes a stream of bytes apart in its order. */
export interface ByteReader {
  /** For short stretches: they are held whole. */
  exactly(count: number): Promise<Buffer>;
  stream(count: number): AsyncGenerator<Uint8Array>;
  /** Throws when there is more. */
  end(): Promise<void>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();

  /** The next bytes, at most so many; none at the end. */
  async function some(most: number): Promise<Uint8Array> {
    while (held.length === 0) {
      const next = await chunks.next();
      if (next.done) return held;
      held = next.value;
    }
    const taken = held.subarray(0, most);
    held = held.subarray(taken.length);
    return taken;
  }

  async function* stream(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      const taken = await some(left);
      if (taken.length === 0) throw new UnopenableFile('its end is missing');
      left -= taken.length;
      yield taken;
    }
  }

  return {
    stream,
    async exactly(count) {
      const parts: Uint8Array[] = [];
      for await (const part of stream(count)) parts.push(part);
      return Buffer.concat(parts);
    },
    async end() {
      if ((await some(1)).length > 0) throw new UnopenableFile('there is more than was written');
    },
  };
}
