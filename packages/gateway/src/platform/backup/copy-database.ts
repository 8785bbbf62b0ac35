import { existsSync, statSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Clock, Random, SealedBox } from '#kernel';
import { takeSnapshot, visitDatabase } from '#platform/store';
import { SafekeepingError } from './archive.ts';
import { type About, DATABASE, installationOf, SANDBOX } from './installation.ts';

export interface BackupOptions {
  /** Must not exist yet. */
  readonly file: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** `file:<folder>` or `s3://…` */
  readonly mediaUrl: string;
  /** Output of `pg_dump`, for a PostgreSQL database. */
  readonly dump: string | undefined;
  readonly version: string;
  readonly box: Pick<SealedBox, 'seal' | 'open'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly step: 'database' | 'files';
  readonly done: number;
  readonly of: number;
}

export interface CopiedFile {
  /** Name of the entry in the backup. */
  readonly name: string;
  readonly from: string;
}

interface DatabaseCopy {
  readonly about: About;
  readonly rows: Readonly<Record<string, number>>;
  readonly files: readonly CopiedFile[];
}

export function copyDatabase(options: BackupOptions, workspace: string): Promise<DatabaseCopy> {
  return options.databaseUrl.startsWith('sqlite:') ? copyEmbedded(options, workspace) : takeDump(options);
}

/** Marks the copy, so that no gateway starts on it before it is restored. */
async function copyEmbedded(options: BackupOptions, workspace: string): Promise<DatabaseCopy> {
  const { databaseUrl, dataDir, clock, onProgress } = options;
  const original = databaseUrl.slice('sqlite:'.length);
  await assertRoom(workspace, original);
  const copy = path.join(workspace, DATABASE.sqlite);
  await takeSnapshot({
    from: original,
    to: copy,
    onProgress: ({ pages, of }) => onProgress({ step: 'database', done: pages, of }),
  });
  const visit = await visitDatabase(`sqlite:${copy}`);
  try {
    const { about, rows } = await describe(options, visit);
    await visit.setMark('inBackup', about.id, clock.now());
    const files = [{ name: DATABASE.sqlite, from: copy }, ...(await copySandbox(dataDir, workspace))];
    return { about, rows, files };
  } finally {
    await visit.close();
  }
}

/** Copies the virtual network of this data directory: a separate party, but stored only here. */
async function copySandbox(dataDir: string, workspace: string): Promise<CopiedFile[]> {
  const from = path.join(dataDir, SANDBOX);
  if (!existsSync(from)) return [];
  const to = path.join(workspace, SANDBOX);
  await takeSnapshot({ from, to, onProgress: () => {} });
  return [{ name: SANDBOX, from: to }];
}

async function assertRoom(workspace: string, original: string): Promise<void> {
  const needed = statSync(original, { throwIfNoEntry: false })?.size ?? 0;
  const { bavail, bsize } = await statfs(workspace);
  if (bavail * bsize > needed) return;
  const [needs, has] = [needed, bavail * bsize].map((bytes) => `${Math.ceil(bytes / 1024 ** 2)} MB`);
  throw new SafekeepingError(`a copy of the database takes ${needs}, and ${workspace} has ${has} left`);
}

/** First bytes of a custom-format dump of PostgreSQL. */
const DUMP_MAGIC = 'PGDMP';

/** Takes a dump made by PostgreSQL's own tool, with what the server itself reports. */
async function takeDump(options: BackupOptions): Promise<DatabaseCopy> {
  const { databaseUrl, dump } = options;
  if (dump === undefined)
    throw new SafekeepingError(
      `a database of PostgreSQL is dumped by its own tool first: pg_dump --format=custom --no-owner --file=parley.dump '${shown(databaseUrl)}', and then taken along: --dump parley.dump`,
    );
  await assertDump(dump);
  const visit = await visitDatabase(databaseUrl);
  try {
    const { about, rows } = await describe(options, visit);
    return { about, rows, files: [{ name: DATABASE.postgres, from: dump }] };
  } finally {
    await visit.close();
  }
}

async function assertDump(dump: string): Promise<void> {
  const magic = Buffer.alloc(DUMP_MAGIC.length);
  try {
    await using handle = await open(dump);
    await handle.read(magic, 0, magic.length, 0);
  } catch (error) {
    throw new SafekeepingError(`${dump} cannot be read`, { cause: error });
  }
  if (magic.toString('latin1') !== DUMP_MAGIC)
    throw new SafekeepingError(`${dump} is no dump of pg_dump --format=custom`);
}

async function describe(
  { version, box, clock, random, databaseUrl, mediaUrl }: BackupOptions,
  visit: Awaited<ReturnType<typeof visitDatabase>>,
): Promise<Pick<DatabaseCopy, 'about' | 'rows'>> {
  const mark = await visit.mark();
  if (mark) throw new SafekeepingError('this database is not in use: it was moved or restored elsewhere');
  const about: About = {
    id: Buffer.from(random.bytes(12)).toString('hex'),
    made_at: new Date(clock.now()).toISOString(),
    parley: version,
    node: process.version,
    dialect: databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres',
    schema_version: await visit.schemaVersion(),
    origin: {
      installation: await installationOf(visit, box),
      host: hostname(),
      database: shown(databaseUrl),
    },
    media: mediaUrl.startsWith('file:') ? 'included' : 'elsewhere',
  };
  return { about, rows: await visit.countRows() };
}

function shown(url: string): string {
  // Removes `pooler`, which only Parley knows: PostgreSQL's own programs refuse unknown parameters.
  return url.replace(/:\/\/([^:@/]*):[^@/]*@/, '://$1@').replace(/[?&]pooler=transaction/, '');
}
