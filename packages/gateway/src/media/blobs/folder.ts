import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#kernel';
import { BlobError, type MediaStore, type StoredBlob } from './port.ts';

/** Files in a folder of this machine, or one that several machines share. */
export function createFolderStore(root: string): MediaStore {
  const placeOf = (name: string): string => path.join(root, ...name.split('/'));

  return {
    async put(name, file) {
      const place = placeOf(name);
      await reached(async () => {
        await makeFolder(path.dirname(place), root);
        await moveWhole(file.path, place);
        await syncFolder(path.dirname(place));
      });
    },
    has: (name) =>
      reached(() => stat(placeOf(name))).then(
        () => true,
        (error: unknown) => {
          if (error instanceof BlobError && error.code === 'missing') return false;
          throw error;
        },
      ),
    async read(name, { from, to }, signal) {
      // Opened first, so that what is not there is told before the answer begins.
      const handle = await reached(() => open(placeOf(name)));
      const bytes = createReadStream('', {
        fd: handle,
        start: from,
        end: to - 1,
        highWaterMark: READ_BYTES,
        ...(signal && { signal }),
      });
      // The signal may abort before anything reads, and an error without a listener ends the process. A reader gets it when it begins.
      bytes.on('error', () => {});
      return bytes;
    },
    delete: (name) => reached(() => rm(placeOf(name), { force: true })),
    async *list(): AsyncGenerator<StoredBlob> {
      for (const folder of await namesIn(root)) {
        for (const file of await namesIn(path.join(root, folder))) {
          const found = await stat(path.join(root, folder, file)).catch(unlessMissing);
          if (found?.isFile()) yield { name: `${folder}/${file}`, madeAt: found.mtimeMs };
        }
      }
    },
    close: async () => {},
  };
}

const READ_BYTES = 128 * 1024;

/** A folder is only there for good once the one above it has been told. */
async function makeFolder(folder: string, root: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let above = folder; above !== path.dirname(root); above = path.dirname(above)) {
    await syncFolder(path.dirname(above));
  }
}

/** Whoever looks for it sees nothing, or all of it. */
async function moveWhole(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // On another disk: under another name first, which is swept with all that nobody knows.
    const beside = `${to}.part`;
    await copyFile(from, beside);
    await syncFile(beside);
    await rename(beside, to);
    await rm(from, { force: true });
  }
}

async function syncFile(file: string): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.sync();
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) names.push(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new BlobError('unreachable', { cause: error });
  }
  return names;
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new BlobError(isMissing ? 'missing' : 'unreachable', { cause: error });
  }
}
