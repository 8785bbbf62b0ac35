import type { Clock, Random } from '#kernel';
import { parseStoreUrl } from '../address.ts';
import { StoreError } from '../errors.ts';
import { migrations } from '../migrations/index.ts';
import { prepareDatabase } from '../postgres/prepare.ts';
import { readSchemaState } from '../schema/migrate.ts';
import { openSource, type Source, type TableShape } from './source.ts';
import { openTarget, type Target } from './target.ts';

export interface RelocationOptions {
  /** `sqlite:/absolute/path`; the caller holds the lock of its data directory. */
  readonly from: string;
  /** `postgres://…` */
  readonly to: string;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'monotonic' | 'after'>;
  readonly random: Pick<Random, 'bytes'>;
  /** Whether the configured master key opens a box with this header. */
  readonly opens: (sealedHeader: Uint8Array) => boolean;
  readonly onProgress: (progress: TableProgress) => void;
}

export interface TableProgress {
  readonly table: string;
  readonly rows: number;
  readonly of: number;
}

/**
 * Moves an installation with everything it has from SQLite to PostgreSQL: linked numbers, pending messages and deliveries, keys. Both
 * databases are marked until it is done, so that no gateway starts on either. Progress is committed with the rows themselves, so a
 * killed move resumes when it is started again. Returns the rows of each table.
 */
export async function relocate(options: RelocationOptions): Promise<TableProgress[]> {
  const { from, to, clock, onProgress } = options;
  const [source, target] = [parseStoreUrl(from), parseStoreUrl(to)];
  if (source.dialect !== 'sqlite' || target.dialect !== 'postgres')
    throw new StoreError(
      'not_movable',
      'A database moves from sqlite:… to postgres://…, and in no other direction.',
    );
  await assertCurrent(from, 'source');
  await using opened = new AsyncDisposableStack();
  const old = openSource(source.path);
  opened.defer(() => old.close());
  if (!old.sealedHeaders().every(options.opens))
    throw new StoreError(
      'not_movable',
      'The configured master key is not the one that the credentials in this database are sealed under; set PARLEY_MASTER_KEY to that.',
    );
  await prepareTarget(to, clock);
  const fresh = await openTarget(target.url);
  opened.defer(() => fresh.close());

  const isCopied = await beginOrGoOn(old, fresh, options);
  if (!isCopied) {
    for (const table of old.tables) await copyTable(old, fresh, table, onProgress);
    await fresh.numberOnFrom(old.highestNumber);
    await assertSameCounts(old, fresh);
    await fresh.finish(clock.now());
  }
  old.markFinished(clock.now());
  return old.tables.map(({ name: table }) => ({ table, rows: old.count(table), of: old.count(table) }));
}

/** Removes the mark of a database whose move was given up. Rows already copied stay in the target. */
export function giveUpRelocation(from: string): void {
  const address = parseStoreUrl(from);
  if (address.dialect !== 'sqlite')
    throw new StoreError('not_movable', 'Only the move of a sqlite:… can be given up.');
  const source = openSource(address.path);
  try {
    const move = source.move();
    if (!move) throw new StoreError('not_movable', 'This database is not being moved.');
    if (move.finished)
      throw new StoreError('moved_away', 'This database was moved; its numbers live in the other one.');
    source.unmark();
  } finally {
    source.close();
  }
}

async function assertCurrent(url: string, which: string): Promise<void> {
  const { applied } = await readSchemaState(url, migrations);
  const [found, known] = [applied.at(-1)?.version ?? 0, migrations.at(-1)?.version ?? 0];
  if (found === known) return;
  const advice = found > known ? 'use the newer Parley that has used it' : 'run parley migrate on it first';
  throw new StoreError(
    'not_movable',
    `The ${which} has schema version ${found} and this Parley has ${known}; ${advice}.`,
  );
}

/** A target in progress is prepared already, and refuses to be opened. */
async function prepareTarget(to: string, clock: RelocationOptions['clock']): Promise<void> {
  const { pending } = await readSchemaState(to, migrations);
  if (pending.length > 0) await prepareDatabase(to, { migrations, clock });
  await assertCurrent(to, 'target');
}

/** True when all rows were copied before, and only the final mark of the source was missing. */
async function beginOrGoOn(
  source: Source,
  target: Target,
  { clock, random }: RelocationOptions,
): Promise<boolean> {
  const [leaving, entering] = [source.move(), await target.move()];
  if (leaving?.finished) throw new StoreError('moved_away', 'This database was moved already.');
  if (entering && entering.id === leaving?.id) return entering.finished;
  if (entering || !(await target.isEmpty(source.tables)))
    throw new StoreError('not_movable', 'The target is not empty; give an empty database.');
  const id = leaving?.id ?? Buffer.from(random.bytes(12)).toString('hex');
  source.mark(id, clock.now());
  await target.begin(id, clock.now());
  return false;
}

async function copyTable(
  source: Source,
  target: Target,
  table: TableShape,
  onProgress: RelocationOptions['onProgress'],
): Promise<void> {
  const total = source.count(table.name);
  let { lastRow, rows } = await target.progressOf(table.name);
  onProgress({ table: table.name, rows, of: total });
  for (;;) {
    const batch = source.batchAfter(table, lastRow);
    if (!batch) return;
    ({ lastRow, rows } = await target.write(table, batch));
    onProgress({ table: table.name, rows, of: total });
  }
}

async function assertSameCounts(source: Source, target: Target): Promise<void> {
  for (const { name } of source.tables) {
    const [expected, found] = [source.count(name), await target.count(name)];
    if (found !== expected)
      throw new StoreError(
        'not_movable',
        `The target has ${found} rows of ${name} where the source has ${expected}; give up, and move into a new, empty database.`,
      );
  }
}
