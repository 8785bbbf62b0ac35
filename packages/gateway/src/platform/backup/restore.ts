import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock, SealedBox } from '#kernel';
import { lockDatabase, lockDataDir, migrations, visitDatabase } from '#platform/store';
import { type FoundEntry, readArchive, SafekeepingError, type SumEntry, summed } from './archive.ts';
import {
  ABOUT,
  type About,
  assertEntryName,
  DATABASE,
  MANIFEST,
  type Manifest,
  MEDIA_PREFIX,
} from './installation.ts';
import { findOriginal } from './original.ts';

interface RestoreOptions {
  readonly file: string;
  readonly dataDir: string;
  /** Where files are kept: `file:<folder>` or `s3://…` */
  readonly mediaUrl: string;
  readonly box: Pick<SealedBox, 'open'>;
  readonly original: { readonly url: string | undefined; readonly isGone: boolean };
  readonly clock: Pick<Clock, 'now'>;
  readonly onProgress: (progress: { readonly bytes: number; readonly name: string }) => void;
}

/** Verifies a whole backup and changes nothing. */
export async function checkBackup({
  file,
  box,
  onProgress,
}: Pick<RestoreOptions, 'file' | 'box' | 'onProgress'>): Promise<Manifest> {
  return walk(file, box, {
    begin: async () => {},
    take: async (entry) => {
      onProgress({ bytes: entry.size, name: entry.name });
      for await (const _ of entry.bytes());
    },
  });
}

/** Exists while a restore runs, and after a killed one: then the folder's content may be deleted. */
const UNFINISHED = 'restoring';
const KEY_FILE = 'master.key';

/**
 * Restores a backup into an empty folder. The database keeps its mark until everything is present and agrees with the manifest, and
 * the original is shut before that mark is removed: at every moment at most one of the two can be started.
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { file, dataDir, mediaUrl, box, clock, onProgress } = options;
  const mediaFolder = mediaUrl.startsWith('file:') ? mediaUrl.slice('file:'.length) : undefined;
  await using held = new AsyncDisposableStack();
  let shutOriginal = async (_id: string): Promise<void> => {};

  const manifest = await walk(file, box, {
    async begin(about) {
      assertKnownSchema(about);
      if (about.media === 'included' && mediaFolder === undefined)
        throw new SafekeepingError('the backup holds files, which go into a folder; unset PARLEY_MEDIA_URL');
      await assertEmpty(dataDir, mediaFolder);
      const original = await findOriginal({ about, ...options.original, box, clock });
      held.defer(() => original.close());
      shutOriginal = (id) => original.shut(id, clock.now());
      const locks = [lockDataDir(dataDir), lockDatabase(`sqlite:${path.join(dataDir, DATABASE.sqlite)}`)];
      for (const lock of locks) held.defer(() => lock.release());
      clear(dataDir);
      writeFileSync(path.join(dataDir, UNFINISHED), about.id, { flush: true });
    },
    async take(entry) {
      onProgress({ bytes: entry.size, name: entry.name });
      assertEntryName(entry.name);
      const isMedia = entry.name.startsWith(MEDIA_PREFIX);
      const target =
        isMedia && mediaFolder !== undefined
          ? path.join(mediaFolder, entry.name.slice(MEDIA_PREFIX.length))
          : path.join(dataDir, entry.name);
      await writeWhole(entry, target);
    },
  });

  await shutOriginal(manifest.id);
  if (manifest.dialect === 'sqlite') await openRestored(path.join(dataDir, DATABASE.sqlite), manifest);
  rmSync(path.join(dataDir, UNFINISHED), { force: true });
  return manifest;
}

/** Reads a backup from its first entry to its last, and compares its content with the manifest. */
async function walk(
  file: string,
  box: Pick<SealedBox, 'open'>,
  visitor: { begin(about: About): Promise<void>; take(entry: FoundEntry): Promise<void> },
): Promise<Manifest> {
  const found: SumEntry[] = [];
  let about: About | undefined;
  let manifest: Manifest | undefined;
  for await (const entry of readArchive(file, box)) {
    if (entry.name === ABOUT) {
      about = await parsed<About>(entry);
      await visitor.begin(about);
    } else if (entry.name === MANIFEST) manifest = await parsed<Manifest>(entry);
    else {
      const sum = summed(entry.bytes());
      await visitor.take({ ...entry, bytes: () => sum.bytes });
      found.push({ name: entry.name, size: entry.size, sha256: sum.sha256() });
    }
  }
  if (
    !about ||
    !manifest ||
    manifest.id !== about.id ||
    JSON.stringify(found) !== JSON.stringify(manifest.entries)
  )
    throw new SafekeepingError(`${file} does not hold what its manifest says`);
  return manifest;
}

async function parsed<T>(entry: FoundEntry): Promise<T> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.bytes()) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function assertKnownSchema({ schema_version: version }: About): void {
  const known = migrations.at(-1)?.version ?? 0;
  if (version > known)
    throw new SafekeepingError(
      `the backup has schema version ${version} and this Parley knows only up to ${known}; restore it with a newer Parley`,
    );
}

/** The master key may be there already; anything else would be mixed with the restored data. */
async function assertEmpty(dataDir: string, mediaFolder: string | undefined): Promise<void> {
  const isUnfinished = existsSync(path.join(dataDir, UNFINISHED)) && !(await isInUse(dataDir));
  for (const folder of new Set([dataDir, mediaFolder ?? dataDir])) {
    if (isUnfinished || !existsSync(folder)) continue;
    if (readdirSync(folder).some((name) => name !== KEY_FILE))
      throw new SafekeepingError(`${folder} is not empty; restore into an empty folder`);
  }
}

/** A gateway was started in a folder whose restore was given up. */
async function isInUse(dataDir: string): Promise<boolean> {
  const database = path.join(dataDir, DATABASE.sqlite);
  if (!existsSync(database)) return false;
  const visit = await visitDatabase(`sqlite:${database}`);
  try {
    return (await visit.mark())?.name !== 'inBackup';
  } finally {
    await visit.close();
  }
}

/** Removes the leftovers of a killed restore, and the lock files. */
function clear(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name !== KEY_FILE && !name.endsWith('.lock'))
      rmSync(path.join(dataDir, name), { recursive: true, force: true });
}

async function writeWhole(entry: FoundEntry, target: string): Promise<void> {
  const folder = path.dirname(target);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = `${target}.part`;
  await pipeline(entry.bytes(), createWriteStream(part, { mode: 0o600, flush: true }));
  await rename(part, target);
  await using handle = await open(folder);
  await handle.sync();
}

async function openRestored(database: string, { rows }: Manifest): Promise<void> {
  const visit = await visitDatabase(`sqlite:${database}`);
  try {
    const { schema_version: _marked, ...found } = await visit.countRows();
    const { schema_version: _unmarked, ...expected } = rows;
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new SafekeepingError('the restored database does not have the rows that the manifest says');
    await visit.clearMark('inBackup');
  } finally {
    await visit.close();
  }
}

/** Reopens an original that a restore has shut. */
export async function giveUpRestore(url: string): Promise<void> {
  const visit = await visitDatabase(url);
  try {
    if ((await visit.mark())?.name !== 'restoredElsewhere')
      throw new SafekeepingError('this database was not shut by a restore');
    await visit.clearMark('restoredElsewhere');
  } finally {
    await visit.close();
  }
}
