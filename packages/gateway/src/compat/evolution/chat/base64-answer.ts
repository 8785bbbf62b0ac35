import { Readable } from 'node:stream';

interface FileInJson {
  /** What stands before the file, as an object. */
  readonly fields: object;
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What stands behind it. */
  readonly rest: object;
}

const BYTES_OF_GROUP = 3;
const LETTERS_OF_GROUP = 4;

/** JSON with a file in base64 in it. It is encoded while it is read: of the file no more than a piece is ever in memory. */
export function base64Answer({ fields, name, size, bytes, rest }: FileInJson): {
  readonly length: number;
  readonly body: Readable;
} {
  const head = `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:"`;
  const tail = `",${JSON.stringify(rest).slice(1)}`;
  const encoded = Math.ceil(size / BYTES_OF_GROUP) * LETTERS_OF_GROUP;

  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(head);
    let left = Buffer.alloc(0);
    for await (const piece of bytes) {
      const ready = Buffer.concat([left, piece]);
      const whole = ready.length - (ready.length % BYTES_OF_GROUP);
      yield Buffer.from(ready.toString('base64', 0, whole));
      left = ready.subarray(whole);
    }
    yield Buffer.from(left.toString('base64') + tail);
  }
  return {
    length: Buffer.byteLength(head) + encoded + Buffer.byteLength(tail),
    body: Readable.from(pieces(), { objectMode: false }),
  };
}
