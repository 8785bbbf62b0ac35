import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { base64Answer } from './base64-answer.ts';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(at, at + cut);
    at += cut;
  }
}

it('is JSON with the whole file in it, as long as it says, however the file is cut', async () => {
  const property = fc.asyncProperty(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(fc.nat(7)),
    fc.string(),
    async (file, cuts, name) => {
      const { length, body } = base64Answer({
        fields: { name },
        name: 'base64',
        size: file.length,
        bytes: inPieces(file, cuts),
        rest: { buffer: null },
      });
      const said = await text(body);
      expect(Buffer.byteLength(said)).toBe(length);
      expect(JSON.parse(said)).toEqual({ name, base64: Buffer.from(file).toString('base64'), buffer: null });
    },
  );
  await fc.assert(property);
});

it('reads the file no faster than it is taken, and stops when nobody takes it', async () => {
  let [read, closed] = [0, false];
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        read += 64 * 1024;
        yield new Uint8Array(64 * 1024);
      }
    } finally {
      closed = true;
    }
  }
  const { body } = base64Answer({
    fields: { a: 1 },
    name: 'base64',
    size: 2 ** 30,
    bytes: endless(),
    rest: { b: 1 },
  });
  const taken = body[Symbol.asyncIterator]();
  for (let count = 0; count < 3; count += 1) await taken.next();
  expect(read).toBeLessThan(1024 * 1024);
  await taken.return?.();
  expect(closed).toBe(true);
});
