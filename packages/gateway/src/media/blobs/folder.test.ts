import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFolderStore } from './stores.ts';

const SIZE = 300_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-folder-'));
  writeFileSync(path.join(folder, 'file'), Buffer.alloc(SIZE, 7));
});
afterEach(() => rmSync(folder, { recursive: true }));

function isOpen(): boolean {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch (error) {
      // The descriptor that lists the others is closed by now.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  });
  return targets.includes(path.join(folder, 'file'));
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let read = 0;
  for await (const piece of bytes) read += piece.length;
  return read;
}

it('reads a part of a file, and closes it', async () => {
  const bytes = await createFolderStore(folder).read('file', { from: 10, to: 200_010 });
  expect(await readAll(bytes)).toBe(200_000);
  await vi.waitFor(() => expect(isOpen()).toBe(false));
});

// An error event without a listener would be uncaught, and end the process.
it.each([
  ['has left before the file is open', true],
  ['leaves before the first byte is read', false],
])('ends nothing and closes the file when the caller %s', async (_, isBefore) => {
  const caller = new AbortController();
  if (isBefore) caller.abort();
  const uncaught = vi.fn();
  process.on('uncaughtException', uncaught);
  try {
    const bytes = await createFolderStore(folder).read('file', { from: 0, to: SIZE }, caller.signal);
    caller.abort();
    await vi.waitFor(() => expect(bytes).toHaveProperty('closed', true));
    // The error comes a moment after that.
    await nextTurn();
    expect(isOpen()).toBe(false);
    expect(uncaught).not.toHaveBeenCalled();
    await expect(readAll(bytes)).rejects.toMatchObject({ name: 'AbortError' });
  } finally {
    process.off('uncaughtException', uncaught);
  }
});

const OTHER_DISK = '/dev/shm';
const isOther = statSync(OTHER_DISK, { throwIfNoEntry: false })?.dev !== statSync(tmpdir()).dev;

it.skipIf(!existsSync(OTHER_DISK) || !isOther)('takes a file over whole from another disk', async () => {
  const elsewhere = mkdtempSync(path.join(OTHER_DISK, 'parley-folder-'));
  try {
    const file = path.join(elsewhere, 'file');
    const bytes = randomBytes(10 * SIZE);
    writeFileSync(file, bytes);
    await createFolderStore(folder).put('ada/taken', { path: file, size: bytes.length });
    expect(readFileSync(path.join(folder, 'ada/taken')).equals(bytes)).toBe(true);
    expect(readdirSync(path.join(folder, 'ada'))).toEqual(['taken']);
    expect(existsSync(file)).toBe(false);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

it('reports and lists files, and distinguishes a missing file from an unreachable store', async () => {
  const store = createFolderStore(folder);
  mkdirSync(path.join(folder, 'ada'));
  writeFileSync(path.join(folder, 'ada/one'), 'x');
  expect([await store.has('ada/one'), await store.has('ada/two')]).toEqual([true, false]);
  const names: string[] = [];
  for (const root of [folder, path.join(folder, 'none')])
    for await (const { name } of createFolderStore(root).list()) names.push(name);
  expect(names).toEqual(['ada/one']);
  const range = { from: 0, to: 1 };
  await expect(store.read('ada/two', range)).rejects.toMatchObject({ code: 'missing' });
  await expect(store.read('file/two', range)).rejects.toMatchObject({ code: 'unreachable' });
  await expect(store.has('file/two')).rejects.toMatchObject({ code: 'unreachable' });
  await store.delete('ada/two');
  await store.delete('ada/one');
  expect(await store.has('ada/one')).toBe(false);
});
