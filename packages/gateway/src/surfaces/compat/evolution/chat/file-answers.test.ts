import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { base64Answer, createFileSlots } from './file-answers.ts';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(at, at + cut);
    at += cut;
  }
}

it('returns JSON with the whole file and the declared length, for any chunk sizes', async () => {
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

it('reads the file no faster than the client reads the answer, and stops when the client disconnects', async () => {
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

const here = new AbortController().signal;

function build() {
  const clock = createSteppedClock();
  return { clock, slots: createFileSlots(clock) };
}

describe('slots for files in base64', () => {
  it('are two per account, granted in the order of calls, and independent of other accounts', async () => {
    const { slots } = build();
    const releases = [await slots.take('one', here), await slots.take('one', here)];
    const granted: string[] = [];
    const third = slots.take('one', here).then(() => granted.push('third'));
    const fourth = slots.take('one', here).then(() => granted.push('fourth'));
    expect(await slots.take('other', here)).toBeTypeOf('function');
    expect(granted).toEqual([]);
    releases[1]?.();
    await third;
    expect(granted).toEqual(['third']);
    // A second release of the same slot frees none.
    releases[1]?.();
    await Promise.resolve();
    expect(granted).toEqual(['third']);
    releases[0]?.();
    await fourth;
    expect(granted).toEqual(['third', 'fourth']);
  });

  it('end the wait after 30 seconds, and when the caller leaves', async () => {
    const { clock, slots } = build();
    const release = await slots.take('one', here);
    await slots.take('one', here);
    const caller = new AbortController();
    const waits = [slots.take('one', caller.signal), slots.take('one', here)];
    caller.abort();
    expect(await waits[0]).toBeUndefined();
    clock.advance(30_000);
    expect(await waits[1]).toBeUndefined();
    const next = slots.take('one', here);
    release?.();
    expect(await next).toBeTypeOf('function');
    expect(await slots.take('one', AbortSignal.abort())).toBeUndefined();
  });
});
