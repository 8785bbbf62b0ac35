import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#kernel';
import { lockBackups } from '#platform/store';
import { type Content, SafekeepingError, type SumEntry, summed, writeArchive } from './archive.ts';
import { type BackupOptions, type CopiedFile, copyDatabase } from './copy-database.ts';
import { ABOUT, MANIFEST, type Manifest, MEDIA_PREFIX } from './installation.ts';

const READ_BYTES = 256 * 1024;

/**
 * Writes the whole installation into one sealed file, while it runs. The database is copied before the files, so every file that the
 * copy refers to is included unless it was deleted since.
 */
export async function backUp(options: BackupOptions): Promise<Manifest> {
  const { file, dataDir, onProgress } = options;
  if (await stat(file).catch(unlessMissing)) throw new SafekeepingError(`${file} is there already`);
  using taken = new DisposableStack();
  const lock = lockBackups(dataDir);
  taken.defer(() => lock.release());
  // Same disk and same permissions as the original. Leftovers of a killed backup are removed first.
  const workspace = path.join(dataDir, 'backing-up');
  taken.defer(() => rmSync(workspace, { recursive: true, force: true }));
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace, { mode: 0o700 });

  const { about, rows, files: copies } = await copyDatabase(options, workspace);
  const files = [...copies, ...(await mediaFiles(options.mediaUrl))];
  const entries: SumEntry[] = [];
  const manifest = { ...about, rows, entries };

  async function* contents(): AsyncGenerator<Content> {
    yield json(ABOUT, about);
    for (const [index, { name, from }] of files.entries()) {
      onProgress({ step: 'files', done: index, of: files.length });
      const size = (await stat(from).catch(unlessMissing))?.size;
      // Deleted by the gateway since it was listed.
      if (size === undefined) continue;
      const sum = summed(createReadStream(from, { highWaterMark: READ_BYTES }));
      yield { name, size, bytes: sum.bytes };
      entries.push({ name, size, sha256: sum.sha256() });
    }
    onProgress({ step: 'files', done: files.length, of: files.length });
    yield json(MANIFEST, manifest);
  }
  await writeArchive(file, contents(), options);
  return manifest;
}

function json(name: string, value: object): Content {
  const bytes = Buffer.from(JSON.stringify(value));
  return { name, size: bytes.length, bytes: only(bytes) };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** `<account>/<object>`; excludes uploads in progress. */
const MEDIA_NAME = /^[\w-]+$/;

async function mediaFiles(mediaUrl: string): Promise<CopiedFile[]> {
  if (!mediaUrl.startsWith('file:')) return [];
  const root = mediaUrl.slice('file:'.length);
  const files: CopiedFile[] = [];
  for (const account of await namesIn(root)) {
    if (account === 'incoming') continue;
    for (const object of await namesIn(path.join(root, account)))
      files.push({ name: `${MEDIA_PREFIX}${account}/${object}`, from: path.join(root, account, object) });
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.filter((name) => MEDIA_NAME.test(name)).sort();
}
