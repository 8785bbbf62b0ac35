import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Download, Downloaded } from './download.ts';
import { EgressError } from './errors.ts';
import { createSpool, type Spool } from './spool.ts';

const LIMITS = { maxBytes: 64, timeoutMs: 1_000 };
const PNG: Downloaded = {
  family: 'image',
  mimetype: 'image/png',
  extension: 'png',
  size: 3,
  fileName: '',
  declaredType: '',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Over a network where every file holds its URL, and one is cut off in the middle. */
function spoolOf(asked: Omit<Download, 'toFile'>[] = []): Spool {
  const egress = {
    async download(url: string, { toFile, ...limits }: Download): Promise<Downloaded> {
      asked.push(limits);
      writeFileSync(toFile, url);
      if (url === 'cut off') throw new EgressError('broken_answer');
      return PNG;
    },
  };
  return createSpool({ egress, folder, ...LIMITS });
}

test('what a dead process left is gone, files and folders', () => {
  writeFileSync(join(folder, 'old'), '');
  mkdirSync(join(folder, 'older'));
  writeFileSync(join(folder, 'older', 'file'), '');
  spoolOf();
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that is missing is made', async () => {
  rmSync(folder, { recursive: true });
  await using file = await spoolOf().fetch('one');
  expect(existsSync(file.path)).toBe(true);
});

test('a file is there with what is known of it until it is disposed of', async () => {
  const spool = spoolOf();
  {
    await using file = await spool.fetch('one');
    expect(file).toMatchObject(PNG);
    expect(readFileSync(file.path, 'utf8')).toBe('one');
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('files do not meet, whatever they are called', async () => {
  const spool = spoolOf();
  const [first, second] = await Promise.all([spool.fetch('same'), spool.fetch('same')]);
  await first[Symbol.asyncDispose]();
  expect(readFileSync(second.path, 'utf8')).toBe('same');
});

test('a file that cannot be had leaves nothing behind', async () => {
  await expect(spoolOf().fetch('cut off')).rejects.toThrow(EgressError);
  expect(readdirSync(folder)).toEqual([]);
});

test('every download has the limits of the spool, and ends with its signal', async () => {
  const asked: Omit<Download, 'toFile'>[] = [];
  const { signal } = new AbortController();
  await using _file = await spoolOf(asked).fetch('one', signal);
  expect(asked).toEqual([{ ...LIMITS, signal }]);
});
