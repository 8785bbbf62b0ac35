import type { Command } from '@parley/gateway/store';

/** One line of the ledger: the writer of which round, and its how manieth. */
export type Entry = { round: number; number: number };

/** Nothing in the ledger keeps an entry from being written twice: if that happens, the test must see it. */
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
