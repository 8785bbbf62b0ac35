import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFolderStore } from './folder.ts';

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
