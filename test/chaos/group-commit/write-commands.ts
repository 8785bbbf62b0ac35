import type { Command } from '@parley/gateway/store';

/** One line of the ledger: the round of its writer, and its sequence number. */
export type Entry = { round: number; number: number };

/** The ledger has no unique constraint: the test must see a duplicate. */
export const writeEntry: Command<Entry, number> = {
  name: 'chaos.write-entry',
  sqlite: (db) => {
    const insert = db.prepare('insert into entry (round, number) values (?, ?)');
    return (entries) =>
      entries.map(({ round, number }) => {
        insert.run(round, number);
        return number;
      });
  },
  postgres: async (client, entries) => {
    await client.query(
      {
        name: 'chaos_write_entries',
        text: 'insert into entry (round, number) select * from unnest($1::bigint[], $2::bigint[])',
      },
      [entries.map(({ round }) => round), entries.map(({ number }) => number)],
    );
    return entries.map(({ number }) => number);
  },
};

export const commands = [writeEntry];
