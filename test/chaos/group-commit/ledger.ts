import { createSystemClock } from '@parley/gateway/kernel';
import { createTable, type Migration, migrations, openStore, type Store, types } from '@parley/gateway/store';
import type { Entry } from './write-commands.ts';

/** After those of the gateway, whose tables the store itself uses. */
const migration: Migration = {
  version: migrations.length + 1,
  name: 'ledger',
  async up(trx, dialect) {
    const { integer } = types(dialect);
    await createTable(trx, dialect, 'entry')
      .addColumn('round', integer, (column) => column.notNull())
      .addColumn('number', integer, (column) => column.notNull())
      .execute();
    await trx.schema.createIndex('entry_round').on('entry').column('round').execute();
  },
};

export function openLedger(url: string): Promise<Store> {
  return openStore({
    url,
    commandModules: [new URL('./write-commands.ts', import.meta.url)],
    migrations: [...migrations, migration],
    clock: createSystemClock(),
  });
}

/** How often each number of a round is in the ledger. */
export async function readRound(store: Store, round: number): Promise<Map<number, number>> {
  const rows = await store.read
    .withTables<{ entry: Entry }>()
    .selectFrom('entry')
    .where('round', '=', round)
    .groupBy('number')
    .select(({ fn }) => ['number', fn.countAll<number>().as('times')])
    .execute();
  return new Map(rows.map(({ number, times }) => [number, times]));
}
