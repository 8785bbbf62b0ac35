import { type BoxOpener, UnopenableBox } from '#kernel';
import type { PgStatement, Reading } from '#platform/store';
import { openPayload, type StoredPayload } from './payload.ts';
import {
  DUE_COLUMNS,
  type DueRow,
  type LaneName,
  type PackedDelivery,
  PLACE,
  packDelivery,
} from './queued-delivery.ts';

/** A place in the order in which the deliveries of a lane are due. */
export interface LanePosition {
  readonly dueAt: number;
  readonly seq: number;
}

/** What of a lane is due by now and comes behind a place, the oldest first. */
export interface WindowRange {
  readonly lane: LaneName;
  readonly after: LanePosition;
  readonly now: number;
  readonly limit: number;
  /** Left out. */
  readonly inHand: readonly number[];
  /** Larger payloads stay where they are. */
  readonly largestPayload: number;
  /** Of all payloads together; it ends before the one that would be too much. */
  readonly mostBytes: number;
}

/** Deliveries that are due, as they cross from one thread to another. */
interface PackedWindow {
  readonly deliveries: readonly PackedDelivery[];
  /** The last one that was looked at, when there may be more behind it. */
  readonly end: LanePosition | undefined;
  /** Events that could not be opened, and why: they are as good as gone. */
  readonly unopenable: readonly { readonly event: number; readonly why: string }[];
}

type Unfilled = Omit<PackedWindow, 'unopenable'>;

/** Whole windows in one crossing; their payloads are opened where they are read. */
export const deliveryWindows: Reading<readonly WindowRange[], PackedWindow[]> = {
  name: 'event-log.delivery-windows',

  sqlite(db, boxes) {
    const due = db.prepare<PackedDelivery>(
      `SELECT ${DUE_COLUMNS} FROM deliveries
       WHERE status = 'pending' AND account_id = ? AND url = ? AND due_at <= ? AND (due_at, seq) > (?, ?)
       ORDER BY due_at, seq LIMIT ?`,
    );
    const find = db.prepare<
      readonly [slotId: string, key: string, body: string | null, box: Uint8Array | null]
    >(`SELECT slot_id, key, ${BODY_OR_BOX} FROM events WHERE seq = ?`);
    function stored(seq: number): StoredPayload | undefined {
      const row = find.get(seq);
      if (!row) return undefined;
      const [slot_id, key, body, sealed] = row;
      return { seq, slot_id, key, body, sealed };
    }
    return (wanted) =>
      wanted.map((range) => {
        const { lane, after, now, limit } = range;
        const found = due.all(lane.accountId, lane.url, now, after.dueAt, after.seq, limit);
        return fillIn(freshIn(range, found), range, stored, boxes);
      });
  },

  postgres: (client, wanted, boxes) =>
    Promise.all(
      wanted.map(async (range) => {
        const { lane, after, now, limit } = range;
        const values = [lane.accountId, lane.url, now, after.dueAt, after.seq, limit];
        const found = await client.look<DueRow>(selectDue, values);
        const window = freshIn(range, found.rows.map(packDelivery));
        const seqs = window.deliveries.flatMap((packed) => eventToRead(packed, range) ?? []);
        const { rows } = await client.look<StoredPayload>(selectPayloads, [seqs]);
        const bySeq = new Map(rows.map((row) => [row.seq, row]));
        return fillIn(window, range, (seq) => bySeq.get(seq), boxes);
      }),
    ),
};

const BODY_OR_BOX = 'CASE WHEN sealed IS NULL THEN body END AS body, sealed';

const selectDue: PgStatement = {
  name: 'event-log.due',
  text: `SELECT ${DUE_COLUMNS} FROM deliveries
         WHERE status = 'pending' AND account_id = $1 AND url = $2 AND due_at <= $3 AND (due_at, seq) > ($4, $5)
         ORDER BY due_at, seq LIMIT $6`,
};

const selectPayloads: PgStatement = {
  name: 'event-log.payloads',
  text: `SELECT seq, slot_id, key, ${BODY_OR_BOX} FROM events WHERE seq = ANY($1::bigint[])`,
};

function freshIn(
  { inHand, largestPayload, mostBytes, limit }: WindowRange,
  due: readonly PackedDelivery[],
): Unfilled {
  const known = new Set(inHand);
  const deliveries: PackedDelivery[] = [];
  let bytes = 0;
  let last: PackedDelivery | undefined;
  for (const packed of due) {
    if (!known.has(packed[PLACE.seq])) {
      const size = packed[PLACE.size];
      bytes += size <= largestPayload ? size : 0;
      if (bytes > mostBytes && last) return { deliveries, end: positionOf(last) };
      deliveries.push(packed);
    }
    last = packed;
  }
  return { deliveries, end: last && due.length === limit ? positionOf(last) : undefined };
}

function positionOf(packed: PackedDelivery): LanePosition {
  return { dueAt: packed[PLACE.dueAt], seq: packed[PLACE.seq] };
}

/** Null: none, or one that is too large. */
function eventToRead(packed: PackedDelivery, { largestPayload }: WindowRange): number | null {
  return packed[PLACE.size] <= largestPayload ? packed[PLACE.eventSeq] : null;
}

function fillIn(
  { deliveries, end }: Unfilled,
  range: WindowRange,
  stored: (seq: number) => StoredPayload | undefined,
  boxes: BoxOpener,
): PackedWindow {
  const unopenable: { event: number; why: string }[] = [];
  for (const packed of deliveries) {
    const seq = eventToRead(packed, range);
    const event = seq === null ? undefined : stored(seq);
    if (!event) continue;
    try {
      packed[PLACE.payload] = openPayload(boxes, event);
    } catch (error) {
      if (!(error instanceof UnopenableBox)) throw error;
      unopenable.push({ event: event.seq, why: error.message });
    }
  }
  return { deliveries, end, unopenable };
}

export const readings = [deliveryWindows];
