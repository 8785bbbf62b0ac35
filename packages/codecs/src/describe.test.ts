import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeFile } from './describe.ts';
import { CodecError, type FileKind } from './job.ts';
import { decodePicture } from './pictures/formats.ts';
import { readPictureHeader } from './pictures/header.ts';
import {
  BLUE_MOV,
  box,
  coveredVideo,
  GREEN_3GP,
  PLAIN_MP3,
  RED_VIDEO,
  SONG_FLAC,
  SONG_M4A,
  SONG_MP3,
  silentWav,
  uprightVideo,
  VOICE,
} from './testing/media.ts';
import { FLAG } from './testing/pictures.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-describe-'));
});
afterAll(() => rm(folder, { recursive: true }));

const sizeOfThumbnail = (jpeg: Uint8Array | undefined) => {
  const { format, width, height } = readPictureHeader(jpeg ?? Buffer.alloc(0)) ?? {};
  return { format, width, height };
};

describe('a video', () => {
  test.each([
    ['MP4', RED_VIDEO, 64, 36],
    ['MOV, its header behind the pictures', BLUE_MOV, 32, 16],
    ['3GP', GREEN_3GP, 176, 144],
    ['MP4 that is turned', uprightVideo(), 36, 64],
  ])('has duration, size and a thumbnail of its shape: %s', async (_name, bytes, width, height) => {
    const { thumbnail, ...traits } = await describeFile(bytes, 'video');
    expect(traits).toEqual({ seconds: 2, width, height, noStill: 'not_installed' });
    const factor = Math.min(1, 100 / Math.max(width, height));
    expect(sizeOfThumbnail(thumbnail)).toEqual({
      format: 'jpeg',
      width: Math.round(width * factor),
      height: Math.round(height * factor),
    });
  });

  test('has its cover as thumbnail', async () => {
    const { thumbnail, ...traits } = await describeFile(coveredVideo(), 'video');
    expect(traits).toEqual({ seconds: 2, width: 64, height: 36 });
    expect(sizeOfThumbnail(thumbnail)).toEqual({ format: 'jpeg', width: 32, height: 16 });
  });

  test.skipIf(spawnSync('ffmpeg', ['-version']).status !== 0)('has its first picture by FFmpeg', async () => {
    const file = path.join(folder, 'red.mp4');
    await writeFile(file, RED_VIDEO);
    const { thumbnail = Buffer.alloc(0), ...traits } = await describeFile(file, 'video', 'ffmpeg');
    expect(traits).toEqual({ seconds: 2, width: 64, height: 36 });
    const header = readPictureHeader(thumbnail);
    if (!header) throw new Error('no thumbnail');
    const { data } = await decodePicture(thumbnail, header);
    const [red = 0, green = 255, blue = 255] = data.subarray(4 * 1_000);
    expect([red > 200, green < 60, blue < 60]).toEqual([true, true, true]);
  });

  test.each([
    ['is missing', '/no/such/ffmpeg', 'not_installed'],
    ['fails', 'false', 'failed'],
    ['writes without end', 'yes', 'failed'],
    ['writes no picture', 'echo', 'failed'],
  ])('has a neutral thumbnail where FFmpeg %s', async (_how, ffmpeg, noStill) => {
    const file = path.join(folder, 'blue.mov');
    await writeFile(file, BLUE_MOV);
    const { thumbnail, ...traits } = await describeFile(file, 'video', ffmpeg);
    expect(traits).toEqual({ seconds: 2, width: 32, height: 16, noStill });
    expect(sizeOfThumbnail(thumbnail)).toEqual({ format: 'jpeg', width: 32, height: 16 });
  });

  test('is read by its headers alone: three gigabytes with the header at the end', async () => {
    const file = path.join(folder, 'long.mp4');
    const moov = RED_VIDEO.subarray(RED_VIDEO.indexOf('moov') - 4, RED_VIDEO.indexOf('mdat') - 4);
    const start = box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'));
    const pictures = Buffer.alloc(16);
    const size = 3 * 2 ** 30;
    pictures.writeUInt32BE(1);
    pictures.write('mdat', 4, 'latin1');
    pictures.writeBigUInt64BE(BigInt(size), 8);
    const handle = await open(file, 'w');
    await handle.write(Buffer.concat([start, pictures]));
    await handle.write(moov, 0, moov.length, start.length + size);
    await handle.close();
    const before = process.memoryUsage().arrayBuffers;
    expect(await describeFile(file, 'video')).toMatchObject({ seconds: 2, width: 64, height: 36 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
    await expect(describeFile(file, 'image')).rejects.toMatchObject({ reason: 'too_large' });
  });
});

describe('a sound', () => {
  test.each([
    ['MP3 with a count', SONG_MP3],
    ['MP3 without', PLAIN_MP3],
    ['M4A', SONG_M4A],
    ['WAV', silentWav()],
    ['FLAC', SONG_FLAC],
  ])('has its seconds: %s', async (_name, bytes) => {
    expect(await describeFile(bytes, 'audio')).toEqual({ seconds: 2 });
  });

  test('has a waveform when it is a voice message', async () => {
    const file = path.join(folder, 'voice.ogg');
    await writeFile(file, VOICE);
    const { seconds, waveform = new Uint8Array() } = await describeFile(file, 'audio');
    expect(seconds).toBe(2);
    expect(waveform).toHaveLength(64);
    const [silent, loud] = [waveform.subarray(2, 30), waveform.subarray(36, 62)];
    expect(Math.max(...silent)).toBeLessThan(20);
    expect(Math.min(...loud)).toBeGreaterThan(50);
    expect(Math.max(...waveform)).toBe(100);
  });
});

test('a damaged picture does not spoil the next', async () => {
  for (let length = 100; length < FLAG.jpeg.length; length += 5) {
    await describeFile(FLAG.jpeg.subarray(0, length), 'image');
    expect(await describeFile(FLAG.jpeg, 'image')).toHaveProperty('thumbnail');
  }
});

describe('a hostile file', () => {
  const samples: readonly (readonly [FileKind, Buffer])[] = [
    ['video', RED_VIDEO],
    ['video', BLUE_MOV],
    ['video', coveredVideo()],
    ['audio', VOICE],
    ['audio', SONG_MP3],
    ['audio', PLAIN_MP3],
    ['audio', SONG_M4A],
    ['audio', silentWav().subarray(0, 400)],
    ['audio', SONG_FLAC],
    ['image', FLAG.jpeg],
  ];

  /** Bounded numbers, or the one refusal. */
  async function expectBounded(bytes: Uint8Array, kind: FileKind): Promise<void> {
    const traits = await describeFile(bytes, kind).catch((error: unknown) => {
      if (!(error instanceof CodecError)) throw error;
      return {};
    });
    const { seconds = 1, width = 1, height = 1, thumbnail, waveform } = { ...empty, ...traits };
    for (const value of [seconds, width, height]) {
      expect(Number.isInteger(value) && value >= 1 && value <= 2 ** 32 - 1).toBe(true);
    }
    expect(seconds).toBeLessThanOrEqual(7 * 86_400);
    if (thumbnail) expect(thumbnail.length).toBeLessThan(20_000);
    if (waveform) expect([waveform.length, Math.max(...waveform)]).toEqual([64, 100]);
  }
  const empty: Awaited<ReturnType<typeof describeFile>> = {};

  test('is described within bounds at every truncation', { timeout: 120_000 }, async () => {
    for (const [kind, bytes] of samples) {
      for (let length = 0; length < bytes.length; length += 17)
        await expectBounded(bytes.subarray(0, length), kind);
    }
  });

  test('is described within bounds with any bytes changed', { timeout: 120_000 }, async () => {
    const change = fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 1, 127, 128, 255), fc.nat(255)));
    const file = fc.tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(file, async ([[kind, bytes], changes]) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at % changed.length] = value;
        await expectBounded(changed, kind);
      }),
      { numRuns: 400 },
    );
  });

  test('is described within bounds when it is noise behind a valid start', { timeout: 120_000 }, async () => {
    const file = fc.tuple(fc.constantFrom(...samples), fc.nat(200), fc.uint8Array({ maxLength: 600 }));
    await fc.assert(
      fc.asyncProperty(file, async ([[kind, bytes], length, noise]) => {
        await expectBounded(Buffer.concat([bytes.subarray(0, length), noise]), kind);
      }),
      { numRuns: 300 },
    );
  });

  test('ends, although it claims boxes and pages without end', async () => {
    const boxes = Buffer.concat(Array.from({ length: 200_000 }, () => box('free')));
    expect(await describeFile(Buffer.concat([RED_VIDEO.subarray(0, 32), boxes]), 'video')).toEqual({
      noStill: 'not_installed',
    });
    const page = Buffer.from(VOICE.subarray(0, 27));
    page[26] = 0;
    const pages = Buffer.concat(Array.from({ length: 300_000 }, () => page));
    const head = VOICE.subarray(0, 28 + (VOICE[27] ?? 0));
    expect(await describeFile(Buffer.concat([head, pages]), 'audio')).toEqual({});
  });
});

test('a thumbnail without a picture of the video is a mark on a plain ground', async () => {
  const { thumbnail = Buffer.alloc(0) } = await describeFile(GREEN_3GP, 'video');
  const header = readPictureHeader(thumbnail);
  if (!header) throw new Error('no thumbnail');
  const { width, height, data } = await decodePicture(thumbnail, header);
  const red = (x: number, y: number) => data[(y * width + x) * 4] ?? 0;
  expect(red(2, 2)).toBeLessThan(100);
  expect(red(width >> 1, height >> 1)).toBeGreaterThan(200);
});
