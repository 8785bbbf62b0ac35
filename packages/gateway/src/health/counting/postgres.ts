import { writeEvents } from '#event-log/write-commands';
import type { NumberHealthRow, PgSession, PgStatement } from '#store';
import { defineBatch } from '#store/batch';
import { applyNote, type HealthNote } from '../standing/note.ts';
import { COUNTS, type Count, type Counts, type HourOfNumber, sumOf, sumUp } from './counts.ts';
import { numberHealthRows } from './rows.ts';

/** Writes what follows of it, and the events that tell so. Answers whether there are any. */
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
  const told = notes.flatMap((note) => {
    const { row, isChanged, event } = applyNote(byNumber.get(note.slotId), note, (id) => linkedAt.get(id));
    byNumber.set(note.slotId, row);
    if (isChanged) changed.set(note.slotId, row);
    return event ?? [];
  });
  const saved = [...changed.values()].sort((one, other) => (one.slot_id < other.slot_id ? -1 : 1));
  if (saved.length > 0) client.send(STATEMENTS.save, numberHealthRows.arrays(saved));
  countInPostgres(
    client,
    notes.flatMap(({ slotId, at, counts = [] }) => counts.map((name) => ({ slotId, at, name }))),
  );
  await writeEvents.postgres(client, told);
  return told.length > 0;
}

export function countInPostgres(client: PgSession, counts: readonly Count[]): void {
  if (counts.length === 0) return;
  client.send(STATEMENTS.count, hours.arrays(sumUp(counts).map(hourRow)));
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
