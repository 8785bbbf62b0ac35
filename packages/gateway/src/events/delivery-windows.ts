import { type BoxOpener, UnopenableBox } from '#kernel';
import type { PgStatement, Reading } from '#store';
import { type DueRow, dueDeliveries, PAYLOAD, type WindowRange } from '#webhooks/readings';
import { openPayload, type StoredPayload } from './payload.ts';

/** Deliveries that are due, as they cross from one thread to another. */
export interface PackedWindow {
  readonly rows: readonly DueRow[];
  /** The last one that was looked at, when there may be more behind it. */
  readonly end: readonly [dueAt: number, seq: number] | null;
  /** Events that could not be opened, and why: they are as good as gone. */
  readonly unopenable: readonly (readonly [seq: number, why: string])[];
}

/** Whole windows in one crossing; their payloads are opened where they are read. */
export const deliveryWindows: Reading<readonly WindowRange[], PackedWindow[]> = {
  name: 'events.delivery-windows',

  sqlite(db, boxes) {
    const dueIn = dueDeliveries.sqlite(db);
    const find = db.prepare<readonly [string, string, string | null, Uint8Array | null]>(
      `SELECT slot_id, key, ${BODY_OR_BOX} FROM events WHERE seq = ?`,
    );
    function stored(seq: number): StoredPayload | undefined {
      const row = find.get(seq);
      return row && { seq, slot_id: row[0], key: row[1], body: row[2], sealed: row[3] };
    }
    return (wanted) => wanted.map((each) => fillIn(freshIn(each, dueIn(each)), each, stored, boxes));
  },

  postgres: (client, wanted, boxes) =>
    Promise.all(
      wanted.map(async (each) => {
        const window = freshIn(each, await dueDeliveries.postgres(client, each));
        const seqs = window.rows.flatMap((row) => eventToRead(row, each) ?? []);
        const { rows } = await client.look<StoredPayload>(selectPayloads, [seqs]);
        const bySeq = new Map(rows.map((row) => [row.seq, row]));
        return fillIn(window, each, (seq) => bySeq.get(seq), boxes);
      }),
    ),
};

const BODY_OR_BOX = 'CASE WHEN sealed IS NULL THEN body END AS body, sealed';

const selectPayloads: PgStatement = {
  name: 'events.payloads',
  text: `SELECT seq, slot_id, key, ${BODY_OR_BOX} FROM events WHERE seq = ANY($1::bigint[])`,
};

function freshIn(wanted: WindowRange, due: readonly DueRow[]): Omit<PackedWindow, 'unopenable'> {
  const inHand = new Set(wanted.inHand);
  const rows: DueRow[] = [];
  let bytes = 0;
  let last: DueRow | undefined;
  for (const row of due) {
    if (!inHand.has(row[0])) {
      bytes += bytesToRead(row, wanted);
      if (bytes > wanted.mostBytes && last) return { rows, end: endAt(last) };
      rows.push(row);
    }
    last = row;
  }
  return { rows, end: last && due.length === wanted.limit ? endAt(last) : null };
}

function bytesToRead([, , , , , size]: DueRow, { largestPayload }: WindowRange): number {
  return size <= largestPayload ? size : 0;
}

function endAt([seq, , , , , , dueAt]: DueRow): PackedWindow['end'] {
  return [dueAt, seq];
}

/** Null: none, or one that is too large. */
function eventToRead([, , eventSeq, , , size]: DueRow, { largestPayload }: WindowRange): number | null {
  return size <= largestPayload ? eventSeq : null;
}

function fillIn(
  { rows, end }: Omit<PackedWindow, 'unopenable'>,
  wanted: WindowRange,
  stored: (seq: number) => StoredPayload | undefined,
  boxes: BoxOpener,
): PackedWindow {
  const unopenable: [number, string][] = [];
  for (const row of rows) {
    const seq = eventToRead(row, wanted);
    const event = seq === null ? undefined : stored(seq);
    if (!event) continue;
    try {
      row[PAYLOAD] = openPayload(boxes, event);
    } catch (error) {
      if (!(error instanceof UnopenableBox)) throw error;
      unopenable.push([event.seq, error.message]);
    }
  }
  return { rows, end, unopenable };
}
