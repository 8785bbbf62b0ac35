import { writeEvents } from '#events/write-commands';
import { sortBy } from '#kernel';
import type { NumberHealthRow, PgSession, PgStatement } from '#platform/store';
import { defineBatch, sendBatch } from '#platform/store/batch';
import { applyNote, type HealthNote } from '../state/health-notes.ts';
import {
  COUNTS,
  type Count,
  type Counts,
  type HourOfNumber,
  numberHealthRows,
  sumOf,
  sumUp,
} from './counts.ts';

/** Writes the effect of the notes and its events. Returns whether there are events. */
export async function noteInPostgres(client: PgSession, notes: readonly HealthNote[]): Promise<boolean> {
  if (notes.length === 0) return false;
  const slotIds = [...new Set(notes.map(({ slotId }) => slotId))].sort();
  const links = notes.flatMap(({ signals }) =>
    signals.flatMap((signal) => (signal.kind === 'connected' ? [signal.linkId] : [])),
  );
  const [{ rows }, { rows: made }] = await Promise.all([
    client.query<NumberHealthRow>(STATEMENTS.lock, [slotIds]),
    client.query<{ link_id: string; created_at: number }>(STATEMENTS.links, [links]),
  ]);
  const byNumber = new Map(rows.map((row) => [row.slot_id, row]));
  const linkedAt = new Map(made.map(({ link_id, created_at }) => [link_id, created_at]));
  const changed = new Map<string, NumberHealthRow>();
  const published = notes.flatMap((note) => {
    const { row, isChanged, event } = applyNote(byNumber.get(note.slotId), note, (id) => linkedAt.get(id));
    byNumber.set(note.slotId, row);
    if (isChanged) changed.set(note.slotId, row);
    return event ?? [];
  });
  const saved = sortBy(changed.values(), ({ slot_id }) => slot_id);
  sendBatch(client, STATEMENTS.save, numberHealthRows, saved);
  countInPostgres(
    client,
    notes.flatMap(({ slotId, at, counts = [] }) => counts.map((name) => ({ slotId, at, name }))),
  );
  await writeEvents.postgres(client, published);
  return published.length > 0;
}

export function countInPostgres(client: PgSession, counts: readonly Count[]): void {
  sendBatch(client, STATEMENTS.count, hours, sumUp(counts).map(hourRow));
}

type HourRow = { readonly slotId: string; readonly startsAt: number } & Counts;

function hourRow({ slotId, startsAt, sums }: HourOfNumber): HourRow {
  return { slotId, startsAt, ...sumOf([Object.fromEntries(sums)]) };
}

const hours = defineBatch<HourRow>({
  slotId: 'text',
  startsAt: 'bigint',
  sent: 'bigint',
  new_chats: 'bigint',
  replies: 'bigint',
  refused_463_known: 'bigint',
  refused_463_unknown: 'bigint',
  refused_479: 'bigint',
  rate_overlimit: 'bigint',
  undecryptable: 'bigint',
  deaf: 'bigint',
  disconnects: 'bigint',
  held_back: 'bigint',
  received: 'bigint',
});

const STATEMENTS = {
  lock: {
    name: 'health.lock',
    text: 'SELECT * FROM number_health WHERE slot_id = ANY($1::text[]) ORDER BY slot_id FOR UPDATE',
  },
  links: {
    name: 'health.links',
    text: 'SELECT link_id, created_at FROM network_links WHERE link_id = ANY($1::text[])',
  },
  save: {
    name: 'health.save',
    text: `INSERT INTO number_health (${numberHealthRows.columns})
           SELECT ${numberHealthRows.columns} FROM ${numberHealthRows.relation('d')}
           ON CONFLICT (slot_id) DO UPDATE SET ${numberHealthRows.fields.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  },
  count: {
    name: 'health.count',
    text: `INSERT INTO health_counts AS h (${hours.columns}) SELECT ${hours.columns} FROM ${hours.relation('d')}
           ON CONFLICT (slot_id, starts_at) DO UPDATE SET ${COUNTS.map((name) => `${name} = h.${name} + excluded.${name}`).join(', ')}`,
  },
} as const satisfies Record<string, PgStatement>;

/** New chats in a batch of sends. */
export interface NewChatsOf {
  readonly row: Pick<NumberHealthRow, 'slot_id' | 'quota'>;
  /** The people, and when. */
  readonly begun: ReadonlyMap<string, number>;
}

/** Records new chats of numbers. The caller holds the accounts of these numbers. */
export function beginInPostgres(client: PgSession, begun: readonly NewChatsOf[]): void {
  const rows = sortBy(begun, ({ row }) => row.slot_id);
  const people = rows.flatMap(({ row, begun }) =>
    [...begun].sort().map(([person, writtenAt]) => ({ slotId: row.slot_id, person, writtenAt })),
  );
  sendBatch(client, NEW_CHAT_STATEMENTS.meet, met, people);
  const rationed = rows.filter(({ row }) => row.quota !== null);
  sendBatch(client, NEW_CHAT_STATEMENTS.spend, spent, rationed.map(toSpent));
}

interface NewContact {
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

const met = defineBatch<NewContact>({ slotId: 'text', person: 'text', writtenAt: 'bigint' });
const spent = defineBatch<SpentQuota>({ slotId: 'text', begun: 'bigint' });

const NEW_CHAT_STATEMENTS = {
  meet: {
    name: 'health.meet',
    text: `INSERT INTO known_people (${met.columns}) SELECT ${met.columns} FROM ${met.relation('d')}
           ON CONFLICT DO NOTHING`,
  },
  /** Unless the network has announced another quota meanwhile, or none. */
  spend: {
    name: 'health.spend',
    text: `UPDATE number_health h SET quota_spent = h.quota_spent + d.begun
           FROM ${spent.relation('d')} WHERE h.slot_id = d.slot_id AND h.quota IS NOT NULL`,
  },
} as const satisfies Record<string, PgStatement>;
