import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Codecs, createCodecs } from './codecs.ts';
import type { FileTraits } from './job.ts';
import { decodePicture } from './pictures/formats.ts';
import { readPictureHeader } from './pictures/header.ts';
import { CMYK, FLAG, greyPng, turnedFlag } from './testing/pictures.ts';

/** Steps by hand. */
function createTestClock() {
  let now = 0;
  const timers = new Set<{ at: number; action: () => void }>();
  return {
    after(delayMs: number, action: () => void) {
      const timer = { at: now + delayMs, action };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    advance(ms: number) {
      now += ms;
      for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.action();
    },
  };
}

let folder: string;
let shared: Codecs;
const opened: Codecs[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-codecs-'));
  shared = createCodecs({ clock: createTestClock() });
});
afterEach(async () => {
  for (const codecs of opened.splice(0)) await codecs.close();
});
afterAll(async () => {
  await shared.close();
  await rm(folder, { recursive: true });
});

function open() {
  const clock = createTestClock();
  const codecs = createCodecs({ clock });
  opened.push(codecs);
  return { clock, codecs };
}

async function described(bytes: Uint8Array): Promise<FileTraits> {
  const file = path.join(folder, 'file');
  await writeFile(file, bytes);
  return shared.describe(file, 'image');
}

async function pixelsOf(jpeg: Uint8Array | undefined) {
  const header = readPictureHeader(jpeg ?? Buffer.alloc(0));
  if (!jpeg || header?.format !== 'jpeg') throw new Error('no JPEG');
  const { width, height, data } = await decodePicture(jpeg, header);
  const at = (x: number, y: number) => {
    const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4);
    return { red: red > 127, green: green > 127, blue: blue > 127 };
  };
  return { width, height, at };
}

const RED = { red: true, green: false, blue: false };
const GREEN = { red: false, green: true, blue: false };
const BLUE = { red: false, green: false, blue: true };

describe('a description', () => {
  test.each(Object.entries(FLAG))('has size and thumbnail: %s', async (_format, bytes) => {
    const { width, height, thumbnail } = await described(bytes);
    expect({ width, height }).toEqual({ width: 32, height: 16 });
    const small = await pixelsOf(thumbnail);
    expect([small.at(3, 3), small.at(12, 12), small.at(28, 8)]).toEqual([GREEN, RED, BLUE]);
  });

  test('scales a large picture to a thumbnail of the same shape', async () => {
    const { width, height, thumbnail } = await described(greyPng(1_000, 500));
    expect({ width, height }).toEqual({ width: 1_000, height: 500 });
    expect(await pixelsOf(thumbnail)).toMatchObject({ width: 100, height: 50 });
    expect(thumbnail?.length).toBeLessThan(5_000);
  });

  /** Places of the green corner in the turned picture. */
  test.each([
    [1, 32, 3, 3],
    [2, 32, 28, 3],
    [3, 32, 28, 12],
    [4, 32, 3, 12],
    [5, 16, 3, 3],
    [6, 16, 12, 3],
    [7, 16, 12, 28],
    [8, 16, 3, 28],
  ])('turns a photo as its camera says: %i', async (orientation, width, x, y) => {
    for (const order of ['II', 'MM'] as const) {
      const traits = await described(turnedFlag(orientation, order));
      expect(traits.width).toBe(width);
      expect((await pixelsOf(traits.thumbnail)).at(x, y)).toEqual(GREEN);
    }
  });

  test('keeps the size of a picture that is too large to decode', async () => {
    expect(await described(greyPng(100_000, 100_000, false))).toEqual({ width: 100_000, height: 100_000 });
  });

  test('keeps the size of a damaged picture, and is empty for other files', async () => {
    expect(await described(FLAG.jpeg.subarray(0, 200))).toEqual({ width: 32, height: 16 });
    expect(await described(greyPng(10, 10).fill(7, 50))).toEqual({ width: 10, height: 10 });
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('no picture at all, but long enough for one'),
      CMYK.subarray(0, 40),
    ])
      expect(await described(bytes)).toEqual({});
  });

  test('survives every truncation of every format', async () => {
    const file = path.join(folder, 'truncated');
    for (const bytes of Object.values({ ...FLAG, png: greyPng(8, 8), turned: turnedFlag(6) })) {
      for (let length = 0; length < bytes.length; length += 7) {
        await writeFile(file, bytes.subarray(0, length));
        const { width = 0 } = await shared.describe(file, 'image');
        expect([0, 8, 16, 32]).toContain(width);
      }
    }
  });
});

describe('a square', () => {
  test('is the middle of the picture, scaled up or down', async () => {
    for (const side of [8, 64]) {
      const square = await pixelsOf(await shared.square(FLAG.webp, side));
      expect(square).toMatchObject({ width: side, height: side });
      expect([square.at(1, side - 2), square.at(side - 2, 1)]).toEqual([RED, BLUE]);
    }
  });

  test('is refused with a reason for bombs, other files and colours of print', async () => {
    for (const [bytes, reason] of [
      [greyPng(5_001, 5_000, false), 'too_large'],
      [greyPng(4_294_967_295, 1, false), 'too_large'],
      [Buffer.from('no picture'), 'unreadable'],
      [CMYK, 'unreadable'],
    ] as const)
      await expect(shared.square(bytes, 64)).rejects.toMatchObject({ name: 'CodecError', reason });
  });
});

describe('the thread', () => {
  test('fails one file that takes too long, and goes on with the next', async () => {
    const { clock, codecs } = open();
    const [first, second] = [codecs.square(FLAG.jpeg, 8), codecs.square(FLAG.jpeg, 8)];
    clock.advance(20_000);
    await expect(first).rejects.toMatchObject({ reason: 'timeout' });
    expect(await pixelsOf(await second)).toMatchObject({ width: 8 });
  });

  test('ends after a pause, and starts again with the next file', async () => {
    const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const { clock, codecs } = open();
    const before = threads();
    await codecs.square(FLAG.jpeg, 8);
    expect(threads()).toBeGreaterThan(before);
    clock.advance(5_000);
    await expect.poll(threads).toBe(before);
    expect(await pixelsOf(await codecs.square(FLAG.jpeg, 8))).toMatchObject({ width: 8 });
  });

  test('refuses more than a queue of files, and everything once it is closed', async () => {
    const { codecs } = open();
    const asked = Array.from({ length: 34 }, () => codecs.square(FLAG.jpeg, 8));
    const ended = Promise.allSettled(asked);
    await expect(asked[33]).rejects.toMatchObject({ reason: 'busy' });
    await codecs.close();
    for (const { status } of (await ended).slice(1)) expect(status).toBe('rejected');
    await expect(codecs.square(FLAG.jpeg, 8)).rejects.toMatchObject({ reason: 'closed' });
  });
});
