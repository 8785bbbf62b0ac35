import type { NumberHealthRow, PgSession, PgStatement } from '#store';
import { defineBatch } from '#store/batch';

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
    [...begun].sort().map(([person, writtenAt]) => ({ slotId: row.slot_id, person, writtenAt })),
  );
  client.send(STATEMENTS.meet, met.arrays(people));
  const rationed = rows.filter(({ row }) => row.quota !== null);
  if (rationed.length > 0) client.send(STATEMENTS.spend, spent.arrays(rationed.map(toSpent)));
}

interface MetPerson {
  readonly slotId: string;
  readonly person: string;
  readonly writtenAt: number;
}

interface SpentQuota {
  readonly slotId: string;
  readonly begun: number;
}

function toSpent({ row, begun }: NewChatsOf): SpentQuota {
  return { slotId: row.slot_id, begun: begun.size };
}

const met = defineBatch<MetPerson>({ slotId: 'text', person: 'text', writtenAt: 'bigint' });
const spent = defineBatch<SpentQuota>({ slotId: 'text', begun: 'bigint' });

const STATEMENTS = {
  meet: {
    name: 'health.meet',
    text: `INSERT INTO known_people (${met.columns}) SELECT ${met.columns} FROM ${met.relation('d')}
           ON CONFLICT DO NOTHING`,
  },
  /** Unless the network has named another quota meanwhile, or none. */
  spend: {
    name: 'health.spend',
    text: `UPDATE number_health h SET quota_spent = h.quota_spent + d.begun
           FROM ${spent.relation('d')} WHERE h.slot_id = d.slot_id AND h.quota IS NOT NULL`,
  },
} as const satisfies Record<string, PgStatement>;
