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

/** A spool over a network where every file contains its URL, and one is cut off in the middle. */
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

test('removes the files and folders of a dead process', () => {
  writeFileSync(join(folder, 'old'), '');
  mkdirSync(join(folder, 'older'));
  writeFileSync(join(folder, 'older', 'file'), '');
  spoolOf();
  expect(readdirSync(folder)).toEqual([]);
});

test('creates a missing folder', async () => {
  rmSync(folder, { recursive: true });
  await using file = await spoolOf().fetch('one');
  expect(existsSync(file.path)).toBe(true);
});

test('keeps a file with its details until it is disposed of', async () => {
  const spool = spoolOf();
  {
    await using file = await spool.fetch('one');
    expect(file).toMatchObject(PNG);
    expect(readFileSync(file.path, 'utf8')).toBe('one');
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('keeps files apart, whatever their names', async () => {
  const spool = spoolOf();
  const [first, second] = await Promise.all([spool.fetch('same'), spool.fetch('same')]);
  await first[Symbol.asyncDispose]();
  expect(readFileSync(second.path, 'utf8')).toBe('same');
});

test('leaves nothing behind when a download fails', async () => {
  await expect(spoolOf().fetch('cut off')).rejects.toThrow(EgressError);
  expect(readdirSync(folder)).toEqual([]);
});

test('applies the limits of the spool and the signal to every download', async () => {
  const asked: Omit<Download, 'toFile'>[] = [];
  const { signal } = new AbortController();
  await using _file = await spoolOf(asked).fetch('one', signal);
  expect(asked).toEqual([{ ...LIMITS, signal }]);
});
