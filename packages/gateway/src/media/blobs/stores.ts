import { createReadStream, openAsBlob } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { S3mini } from 's3mini';
import { readS3Url, type S3Place } from '#config';
import { type Clock, unlessMissing } from '#kernel';
import { createServiceFetch } from '#platform/egress';
import { makeUsableDirectory } from '#platform/store';
import { BlobError, type MediaStore, type StoredBlob } from './port.ts';

/** `file:/folder` or `s3://…`, as the setting takes them. */
export function openMediaStore(url: string, machineClock: Pick<Clock, 'after'>): MediaStore {
  const bucket = readS3Url(url);
  if (bucket) return createS3Store(bucket, machineClock);
  const folder = url.slice('file:'.length);
  makeUsableDirectory(folder, 'media directory');
  return createFolderStore(folder);
}

/** A bucket of any store that speaks S3. Each file is one request, with its length known: nothing of it is there until all of it is. */
function createS3Store(place: S3Place, machineClock: Pick<Clock, 'after'>): MediaStore {
  const { endpoint, region, accessKeyId, secretAccessKey, prefix } = place;
  const service = createServiceFetch({ clock: machineClock, limits: LIMITS });
  const s3 = new S3mini({ endpoint, region, accessKeyId, secretAccessKey, fetch: service.fetch });

  return {
    async put(name, { path, size }) {
      const file = await openAsBlob(path);
      const asked = s3.putObject(prefix + name, file, undefined, undefined, undefined, size);
      const answer = await answered(asked);
      // The connection is free again when the answer is read.
      await answered(answer.arrayBuffer());
      await rm(path, { force: true });
    },
    has: async (name) => (await answered(s3.objectExists(prefix + name))) === true,
    async read(name, { from, to }) {
      const answer = await answered(s3.getObjectRaw(prefix + name, false, from, to));
      if (!answer.body) throw new BlobError('unreachable');
      return answer.body;
    },
    async delete(name) {
      await answered(s3.deleteObject(prefix + name)).catch((error: unknown) => {
        if (!(error instanceof BlobError) || error.code !== 'missing') throw error;
      });
    },
    async *list(): AsyncGenerator<StoredBlob> {
      let token: string | undefined;
      do {
        const page = await answered(s3.listObjectsPaged('/', prefix, PAGE, token));
        for (const { Key, LastModified } of page?.objects ?? []) {
          yield { name: Key.slice(prefix.length), madeAt: new Date(LastModified).getTime() };
        }
        token = page?.nextContinuationToken;
      } while (token !== undefined);
    },
    close: service.close,
  };
}

const PAGE = 1_000;
const LIMITS = { answerMs: 10_000, bodyMs: 110_000, stallMs: 30_000 };
const NOT_FOUND = 404;

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const isMissing = (cause as { status?: number }).status === NOT_FOUND;
    throw new BlobError(isMissing ? 'missing' : 'unreachable', { cause });
  }
}

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
      // Opened first, so that a missing file is reported before the response begins.
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

/** A new folder is durable only after its parent is synced. */
async function makeFolder(folder: string, root: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let above = folder; above !== path.dirname(root); above = path.dirname(above)) {
    await syncFolder(path.dirname(above));
  }
}

/** Readers see the whole file or none. */
async function moveWhole(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // On another disk: under a temporary name first, which the orphan sweep deletes after a crash.
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
