import { existsSync } from 'node:fs';
import path from 'node:path';
import { createSealedBox, createSystemClock, type MasterKeys, systemRandom } from '#kernel';
import { giveUpRelocation, lockDatabase, lockDataDir, relocate, type TableProgress } from '#store';
import { type Config, loadConfig, readEnvironment, SETTINGS } from '../config.ts';
import { obtainMasterKeys } from '../master-key.ts';
import { CommandError, type Input } from './command.ts';
import type { MIGRATE_STORE } from './specs.ts';
import { asTable, type Terminal } from './terminal.ts';

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
