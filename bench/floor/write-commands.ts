import type { Command } from '@parley/gateway/store';

export interface FloorRow {
  readonly id: string;
  readonly accountId: string;
  readonly content: string;
}

/** One durable row per request: the minimum for an accepted message. */
export const insertFloorRow: Command<FloorRow, string> = {
  name: 'bench.insert-floor-row',
  sqlite: (db) => {
    const insert = db.prepare('insert into bench_floor (id, account_id, content) values (?, ?, ?)');
    return (items) => {
      for (const { id, accountId, content } of items) insert.run(id, accountId, content);
      return items.map((item) => item.id);
    };
  },
  postgres: async (client, items) => {
    await client.query(
      {
        name: 'bench_insert_floor_row',
        text: 'insert into bench_floor (id, account_id, content) select * from unnest($1::text[], $2::text[], $3::text[])',
      },
      [items.map((item) => item.id), items.map((item) => item.accountId), items.map((item) => item.content)],
    );
    return items.map((item) => item.id);
  },
};

export const commands = [insertFloorRow];
