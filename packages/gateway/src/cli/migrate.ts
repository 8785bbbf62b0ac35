import { existsSync } from 'node:fs';
import path from 'node:path';
import { createSealedBox, createSystemClock, type MasterKeys, systemRandom } from '#kernel';
import {
  type FileLock,
  giveUpRelocation,
  lockDatabase,
  lockDataDir,
  migrations,
  openStore,
  readSchemaState,
  relocate,
  type SchemaState,
  statementsOf,
  type TableProgress,
} from '#platform/store';
import { obtainMasterKeys } from '../app/master-key.ts';
import { type Config, loadConfig, readEnvironment, SETTINGS } from '../config/config.ts';
import { CommandError, type Input } from './command.ts';
import type { MIGRATE, MIGRATE_STORE } from './specs.ts';
import { asTable, type Terminal } from './terminal.ts';

/** Brings the database to the schema of this release, or only shows the pending migrations. */
export async function migrate({ options, terminal }: Input<typeof MIGRATE>): Promise<void> {
  if (options.status && options['dry-run']) throw new CommandError('take --status or --dry-run, not both');
  const config = loadConfig(readEnvironment());
  const state = await readSchemaState(config.databaseUrl, migrations);
  if (options['dry-run']) {
    const statements = await pendingStatements(state);
    terminal.show(
      { statements },
      () => statements.map((each) => `${each};`).join('\n') || '-- nothing to do',
    );
    return;
  }
  if (!options.status) await apply(config);
  const after = options.status ? state : await readSchemaState(config.databaseUrl, migrations);
  terminal.show(asResult(after), () => [described(after), '', verdictOn(state, after)].join('\n'));
}

async function apply({ databaseUrl, dataDir }: Config): Promise<void> {
  using locked = new DisposableStack();
  const takeLock = (lock: FileLock): void => locked.defer(() => lock.release());
  if (databaseUrl.startsWith('sqlite:')) takeLock(lockDataDir(dataDir));
  takeLock(lockDatabase(databaseUrl));
  const clock = createSystemClock();
  const store = await openStore({ url: databaseUrl, commandModules: [], migrations, clock });
  await store.close();
}

async function pendingStatements({ pending, dialect }: SchemaState): Promise<string[]> {
  return (await Promise.all(pending.map((migration) => statementsOf(migration, dialect)))).flat();
}

function asResult({ dialect, applied, pending }: SchemaState): object {
  return { dialect, applied, pending: pending.map(({ version, name }) => ({ version, name })) };
}

function described({ applied, pending }: SchemaState): string {
  return asTable(
    ['VERSION', 'NAME', 'APPLIED'],
    [
      ...applied.map(({ version, name, applied_at }) => [version, name, new Date(applied_at).toISOString()]),
      ...pending.map(({ version, name }) => [version, name, 'pending']),
    ],
  );
}

function verdictOn(before: SchemaState, { applied, pending }: SchemaState): string {
  const known = migrations.at(-1)?.version ?? 0;
  if ((applied.at(-1)?.version ?? 0) > known)
    return `The database is of a newer Parley; this one knows only up to ${known}.`;
  if (pending.length > 0) return `${pending.length} to apply: run parley migrate, or start the gateway.`;
  const done = before.pending.length;
  return done === 0 ? 'The database is up to date.' : `${done} applied; the database is up to date.`;
}

/** Moves an installation from its embedded database to PostgreSQL; numbers stay linked. */
export async function migrateStore({ options, terminal }: Input<typeof MIGRATE_STORE>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const from = address('--from', options.from ?? `sqlite:${path.join(config.dataDir, 'parley.db')}`);
  using locked = new DisposableStack();
  const folder = path.dirname(from.slice('sqlite:'.length));
  for (const directory of new Set([folder, config.dataDir])) {
    if (!existsSync(directory)) continue;
    const lock = lockDataDir(directory);
    locked.defer(() => lock.release());
  }
  if (existsSync(folder)) {
    const lock = lockDatabase(from);
    locked.defer(() => lock.release());
  }
  if (options['give-up']) {
    giveUpRelocation(from);
    terminal.show(
      { given_up: from },
      () => 'The move was given up; the gateway starts on its old database again.',
    );
    return;
  }
  const to = targetOf(options.to, config);
  const masterKeys = masterKeysOf({ ...config, dataDir: folder });
  const box = createSealedBox({ masterKeys, random: systemRandom });
  const moved = await relocate({
    from,
    to,
    clock: createSystemClock(),
    random: systemRandom,
    opens: box.knows,
    onProgress: showProgress(terminal),
  });
  terminal.show({ moved: moved.map(({ table, rows }) => ({ table, rows })) }, () =>
    farewell(moved, { ...config, dataDir: folder }),
  );
}

/** The key of the installation that moves; none is made here, because nothing would be sealed under it. */
function masterKeysOf(config: Config): MasterKeys {
  if (config.masterKeys || existsSync(path.join(config.dataDir, 'master.key')))
    return obtainMasterKeys(config, systemRandom);
  throw new CommandError(
    `${SETTINGS.masterKeys.name} is missing; set it to that of the gateway that is to be moved`,
  );
}

function address(option: string, url: string): string {
  const parsed = SETTINGS.databaseUrl.parse(url);
  if (parsed === undefined) throw new CommandError(`${option} must be ${SETTINGS.databaseUrl.takes}`);
  return parsed;
}

function targetOf(option: string | undefined, config: Config): string {
  if (option !== undefined) return address('--to', option);
  if (config.databaseUrl.startsWith('sqlite:'))
    throw new CommandError(
      `--to is missing; give it, or set ${SETTINGS.databaseUrl.name} to the new database`,
    );
  return config.databaseUrl;
}

/** One line per table, and again whenever another tenth of it is done. */
function showProgress(terminal: Terminal): (progress: TableProgress) => void {
  let shown = '';
  return ({ table, rows, of }) => {
    const tenths = of === 0 ? 10 : Math.floor((10 * rows) / of);
    if (shown === `${table} ${tenths}`) return;
    shown = `${table} ${tenths}`;
    terminal.note(`  ${table.padEnd(18)}${rows} of ${of}`);
  };
}

function farewell(moved: readonly TableProgress[], { masterKeys, dataDir }: Config): string {
  const key = masterKeys === undefined ? ` (it is in ${path.join(dataDir, 'master.key')})` : '';
  return [
    asTable(
      ['TABLE', 'ROWS'],
      moved.map(({ table, rows }) => [table, rows]),
    ),
    '',
    'Everything was moved, and the numbers of rows agree. The old database is kept, but no gateway starts on it any more.',
    `Start the gateway with ${SETTINGS.databaseUrl.name} set to the new database and the same ${SETTINGS.masterKeys.name}${key}.`,
  ].join('\n');
}
