import type { NumberHealthRow, PgSession, PgStatement } from '#store';
import { ROW_COLUMNS, typeOf } from '../counting/rows.ts';

/** New chats that a batch of sends begins. */
export interface NewChatsOf {
  /** The number as it is afterwards; all of it counts where there was no row yet. */
  readonly row: NumberHealthRow;
  /** With whom, and when. */
  readonly begun: ReadonlyMap<string, number>;
}

/** Writes down whom numbers have begun to write to. Whoever calls it holds the accounts of these numbers. */
export function beginInPostgres(client: PgSession, begun: readonly NewChatsOf[]): void {
  if (begun.length === 0) return;
  const rows = [...begun].sort((one, other) => (one.row.slot_id < other.row.slot_id ? -1 : 1));
  const people = rows.flatMap(({ row, begun }) =>
    [...begun].sort().map(([person, at]) => ({ slotId: row.slot_id, person, at })),
  );
  client.send(STATEMENTS.meet, [
    people.map(({ slotId }) => slotId),
    people.map(({ person }) => person),
    people.map(({ at }) => at),
  ]);
  client.send(STATEMENTS.begin, [
    ...ROW_COLUMNS.map((column) =>
      rows.map(({ row, begun }) => (column === 'quota_spent' ? begun.size : row[column])),
    ),
  ]);
}

const STATEMENTS = {
  meet: {
    name: 'health.meet',
    text: `INSERT INTO known_people (slot_id, person, written_at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
           ON CONFLICT DO NOTHING`,
  },
  /** What the network says meanwhile about the number stays as it is. */
  begin: {
    name: 'health.begin',
    text: `INSERT INTO number_health AS h (${ROW_COLUMNS.join(', ')})
           SELECT * FROM unnest(${ROW_COLUMNS.map((column, index) => `$${index + 1}::${typeOf(column)}[]`).join(', ')})
           ON CONFLICT (slot_id) DO UPDATE SET recent_new_chats = excluded.recent_new_chats,
             quota_spent = CASE WHEN h.quota IS NULL THEN 0 ELSE h.quota_spent + excluded.quota_spent END`,
  },
} as const satisfies Record<string, PgStatement>;
