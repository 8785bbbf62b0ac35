import { writeEvents } from '#event-log/write-commands';
import type { NumberHealthRow, PgSession, PgStatement } from '#store';
import { applyNote, type HealthNote } from '../standing/note.ts';
import { COUNTS, type Count, sumUp } from './counts.ts';
import { ROW_COLUMNS, typeOf } from './rows.ts';

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
  if (saved.length > 0)
    client.send(
      STATEMENTS.save,
      ROW_COLUMNS.map((column) => saved.map((row) => row[column])),
    );
  countInPostgres(
    client,
    notes.flatMap(({ slotId, at, counts = [] }) => counts.map((name) => ({ slotId, at, name }))),
  );
  await writeEvents.postgres(client, told);
  return told.length > 0;
}

export function countInPostgres(client: PgSession, counts: readonly Count[]): void {
  if (counts.length === 0) return;
  const rows = sumUp(counts);
  client.send(STATEMENTS.count, [
    rows.map(({ slotId }) => slotId),
    rows.map(({ startsAt }) => startsAt),
    ...COUNTS.map((name) => rows.map(({ sums }) => sums.get(name) ?? 0)),
  ]);
}

const list = ROW_COLUMNS.join(', ');

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
    text: `INSERT INTO number_health (${list})
           SELECT * FROM unnest(${ROW_COLUMNS.map((column, index) => `$${index + 1}::${typeOf(column)}[]`).join(', ')})
           ON CONFLICT (slot_id) DO UPDATE SET ${ROW_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  },
  count: {
    name: 'health.count',
    text: `INSERT INTO health_counts AS d (slot_id, starts_at, ${COUNTS.join(', ')})
           SELECT * FROM unnest($1::text[], $2::bigint[], ${COUNTS.map((_, index) => `$${index + 3}::bigint[]`).join(', ')})
           ON CONFLICT (slot_id, starts_at) DO UPDATE SET ${COUNTS.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')}`,
  },
} as const satisfies Record<string, PgStatement>;
