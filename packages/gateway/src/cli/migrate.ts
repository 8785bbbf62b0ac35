import { createSystemClock } from '#kernel';
import {
  type FileLock,
  lockDatabase,
  lockDataDir,
  migrations,
  openStore,
  readSchemaState,
  type SchemaState,
  statementsOf,
} from '#store';
import { type Config, loadConfig, readEnvironment } from '../config.ts';
import { CommandError, type Input } from './command.ts';
import type { MIGRATE } from './specs.ts';
import { asTable } from './terminal.ts';

/** Brings the database to the schema of this release, or only tells what that would do. */
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
