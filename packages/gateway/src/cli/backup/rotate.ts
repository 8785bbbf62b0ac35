import {
  createSealedBox,
  createSystemClock,
  headerOf,
  type MasterKeys,
  type SealedBox,
  systemRandom,
  UnopenableBox,
} from '#kernel';
import { migrations, openStore, readSchemaState, type Store } from '#platform/store';
import { keepToMasterKey, requireMasterKeys, settleMasterKey } from '../../app/master-key.ts';
import { loadConfig, readEnvironment, SETTINGS } from '../../config/config.ts';
import { CommandError, type Input } from '../command.ts';
import type { ROTATE_MASTER_KEY } from '../specs.ts';
import type { Terminal } from '../terminal.ts';
import { countStale, keysOfWorkers, replaceBoxes, type SealedRow, staleBoxes } from './reseal-queries.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** While a gateway still seals under the old key, boxes are left after each round. */
const MOST_ROUNDS = 3;

/** Seals a database anew under the first of two keys, while gateways that know both go on. */
export async function rotateMasterKey({ terminal }: Input<typeof ROTATE_MASTER_KEY>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const masterKeys = requireMasterKeys(config);
  if (masterKeys.length === 1)
    throw new CommandError(
      `${SETTINGS.masterKeys.name} has one key; start the gateway with a new one before it (openssl rand -base64 32), a comma between, then run this with the same`,
    );
  const { pending } = await readSchemaState(config.databaseUrl, migrations);
  if (pending.length > 0)
    throw new CommandError('the database is of an older release; start the gateway of this release first');
  const clock = createSystemClock();
  const store = await openStore({ url: config.databaseUrl, commandModules: [], migrations, clock });
  try {
    const { rows, unopened } = await changeOver(store, masterKeys, terminal);
    terminal.show({ resealed: rows, unopened }, () => farewell(rows, unopened));
  } finally {
    await store.close();
  }
}

async function changeOver(
  store: Store,
  masterKeys: MasterKeys,
  terminal: Terminal,
): Promise<{ rows: number; unopened: number }> {
  const clock = createSystemClock();
  const box = createSealedBox({ masterKeys, random: systemRandom });
  const [newKeyId = ''] = box.keyIds;
  const ignorant = (await keysOfWorkers(store.read, clock.now())).filter(
    ({ keyIds }) => !keyIds.includes(newKeyId),
  );
  if (ignorant.length > 0)
    throw new CommandError(
      `${ignorant.map(({ worker }) => worker).join(', ')} runs without the new key; restart it with ${SETTINGS.masterKeys.name} set to the new key, a comma and the old one`,
    );
  await keepToMasterKey(store, masterKeys, { random: systemRandom, now: clock.now() });
  let rows = 0;
  for (let round = 1; ; round++) {
    const done = await resealAll(store, box, showProgress(terminal));
    rows += done.rows;
    if (done.rows === 0) {
      await settleMasterKey(store, box);
      return { rows, unopened: done.unopened };
    }
    if (round > MOST_ROUNDS)
      throw new CommandError(
        'a process still seals under the old key; restart all with the new key first, and run this again',
      );
  }
}

function showProgress(terminal: Terminal): (progress: ResealProgress) => void {
  let shown = '';
  return ({ place, done, of }) => {
    if (of === 0) return;
    const line = `${place}: ${Math.floor((10 * done) / of) * 10} %`;
    if (line === shown) return;
    shown = line;
    terminal.picture(line);
  };
}

function farewell(rows: number, unopened: number): string {
  const lost = unopened === 0 ? [] : [`${unopened} boxes open with neither key, and were left as they are.`];
  return [
    `Everything is sealed under the new key (${rows} boxes were sealed anew).`,
    ...lost,
    `Set ${SETTINGS.masterKeys.name} to the new key alone; the gateway takes it with its next start. Backups from before open with the old key: keep it as long as them.`,
  ].join('\n');
}

/** Few enough that concurrent writers wait only briefly. */
const ROWS_PER_STEP = 50;

interface ResealProgress {
  /** `table.column` */
  readonly place: string;
  readonly done: number;
  readonly of: number;
}

interface Resealed {
  readonly rows: number;
  /** Boxes that none of the keys opens: they could not be read before either. */
  readonly unopened: number;
}

/**
 * Seals anew every box that was not sealed under the first key, in small steps, beside running gateways. The boxes themselves
 * record the progress: after a stop it continues with the rest.
 */
export async function resealAll(
  store: Pick<Store, 'read' | 'transaction'>,
  box: SealedBox,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  let [rows, unopened] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    const found = await resealColumn(store, box, column, onProgress);
    rows += found.rows;
    unopened += found.unopened;
  }
  return { rows, unopened };
}

async function resealColumn(
  store: Pick<Store, 'read' | 'transaction'>,
  box: SealedBox,
  column: SealedColumn,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  const header = headerOf(box.keyIds[0] ?? '');
  const place = `${column.table}.${column.column}`;
  const of = await countStale(store.read, column, header);
  let [rows, unopened] = [0, 0];
  let after: SealedRow | undefined;
  for (;;) {
    onProgress({ place, done: rows + unopened, of });
    const stale = await staleBoxes(store.read, column, { header, after, limit: ROWS_PER_STEP });
    if (stale.length === 0) return { rows, unopened };
    const resealed = stale.flatMap((row) => {
      const anew = sealAnew(box, row.box, column.context(row));
      return anew ? [{ row, box: anew }] : [];
    });
    await replaceBoxes(store, column, resealed);
    rows += resealed.length;
    unopened += stale.length - resealed.length;
    after = stale.at(-1);
  }
}

function sealAnew(box: SealedBox, sealed: Uint8Array, context: string): Uint8Array | undefined {
  try {
    return box.seal(box.open(sealed, context), context);
  } catch (error) {
    if (error instanceof UnopenableBox) return undefined;
    throw error;
  }
}
