import type { NumberHealthRow, PgSession, PgStatement } from '#store';

/** New chats that a batch of sends begins. */
export interface NewChatsOf {
  readonly row: Pick<NumberHealthRow, 'slot_id' | 'quota'>;
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
  const rationed = rows.filter(({ row }) => row.quota !== null);
  if (rationed.length > 0)
    client.send(STATEMENTS.spend, [
      rationed.map(({ row }) => row.slot_id),
      rationed.map(({ begun }) => begun.size),
    ]);
}

const STATEMENTS = {
  meet: {
    name: 'health.meet',
    text: `INSERT INTO known_people (slot_id, person, written_at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
           ON CONFLICT DO NOTHING`,
  },
  /** Unless the network has named another quota meanwhile, or none. */
  spend: {
    name: 'health.spend',
    text: `UPDATE number_health h SET quota_spent = h.quota_spent + d.begun
           FROM unnest($1::text[], $2::bigint[]) AS d(slot_id, begun) WHERE h.slot_id = d.slot_id AND h.quota IS NOT NULL`,
  },
} as const satisfies Record<string, PgStatement>;
