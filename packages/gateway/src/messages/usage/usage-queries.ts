import type { MessageState, UsageFigures } from '@parley/contract';
import type { ExpressionBuilder } from 'kysely';
import { DAY_MS, messageIdAt } from '#kernel';
import type { Reader, Store, Tables, Writer } from '#platform/store';

/** By the day on which a message was accepted, whenever its later states came. */
export type SentFigures = Pick<UsageFigures, 'accepted' | 'sent' | 'delivered' | 'failed'>;
export type Grouping = readonly ('day' | 'slot_id')[];
export type SentSum = SentFigures & {
  /** By UTC, counted from 1970. Absent unless grouped by day. */
  readonly day?: number;
  readonly slot_id?: string;
};

/** Days by UTC, counted from 1970; the end is exclusive. */
export interface Days {
  readonly from: number;
  readonly end: number;
}

type Db = Pick<Reader, 'selectFrom'>;
const NAMES = ['accepted', 'sent', 'delivered', 'failed'] as const satisfies (keyof SentFigures)[];
const STATES: Readonly<Record<keyof SentFigures, readonly MessageState[]>> = {
  accepted: ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'],
  sent: ['sent', 'delivered', 'read', 'played'],
  delivered: ['delivered', 'read', 'played'],
  failed: ['failed'],
};

function countOf(e: ExpressionBuilder<Tables, 'messages'>, name: keyof SentFigures) {
  return e.fn.count<number>('messages.id').filterWhere('messages.status', 'in', STATES[name]);
}

/** Scans every message of these days. */
export async function countMessages(
  db: Db,
  slotIds: readonly string[],
  { from, end }: Pick<Days, 'from'> & Partial<Days>,
  by: Grouping,
): Promise<SentSum[]> {
  const rows = await db
    .selectFrom('messages')
    .select((e) => NAMES.map((name) => countOf(e, name).as(name)))
    // As a literal: a bound value would be a fraction to SQLite, and so would the day.
    .$if(by.includes('day'), (query) =>
      query.select((e) => e('accepted_at', '/', e.lit(DAY_MS)).as('day')).groupBy('day'),
    )
    .$if(by.includes('slot_id'), (query) => query.select('slot_id').groupBy('slot_id'))
    .where('slot_id', 'in', slotIds)
    .where('id', '>=', messageIdAt(from * DAY_MS))
    .$if(end !== undefined, (query) => query.where('id', '<', messageIdAt(Number(end) * DAY_MS)))
    .execute();
  return rows.map(sumFrom);
}

/** Stored counts of these days, and how many days they cover: one for each number and day. */
export async function sumRemembered(
  { read }: Pick<Store, 'read'>,
  slotIds: readonly string[],
  days: Days,
  by: Grouping,
): Promise<{ sums: SentSum[]; remembered: number }> {
  const rows = await remembered(read, slotIds, days)
    .select((e) => [
      ...NAMES.map((name) => e.fn.sum<number>(name).as(name)),
      e.fn.countAll<number>().as('remembered'),
    ])
    .$if(by.includes('day'), (query) => query.select('day').groupBy('day'))
    .$if(by.includes('slot_id'), (query) => query.select('slot_id').groupBy('slot_id'))
    .execute();
  return {
    sums: rows.map(sumFrom),
    remembered: rows.reduce((sum, row) => sum + Number(row.remembered), 0),
  };
}

function remembered(db: Db, slotIds: readonly string[], { from, end }: Days) {
  return db
    .selectFrom('sent_days')
    .where('slot_id', 'in', slotIds)
    .where('day', '>=', from)
    .where('day', '<', end)
    .where('is_stale', '=', 0);
}

/** A sum of no rows is null, and PostgreSQL returns text. */
function sumFrom({
  day,
  slot_id,
  ...figures
}: { [Name in keyof SentFigures]: unknown } & { day?: unknown; slot_id?: string }): SentSum {
  return {
    ...(day !== undefined && { day: Number(day) }),
    ...(slot_id !== undefined && { slot_id }),
    accepted: Number(figures.accepted ?? 0),
    sent: Number(figures.sent ?? 0),
    delivered: Number(figures.delivered ?? 0),
    failed: Number(figures.failed ?? 0),
  };
}

/** In a fixed order. */
export async function numbersAfter(db: Db, slotId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('devices')
    .select('slot_id')
    .where('slot_id', '>', slotId)
    .where('removed_at', 'is', null)
    .orderBy('slot_id')
    .limit(limit)
    .execute();
  return rows.map(({ slot_id }) => slot_id);
}

/** Numbers without a stored count of a day, by that day. */
export type Gaps = ReadonlyMap<number, readonly string[]>;

export async function gapsIn(
  { read }: Pick<Store, 'read'>,
  slotIds: readonly string[],
  days: Days,
): Promise<Gaps> {
  const whole = await remembered(read, slotIds, days)
    .select('slot_id')
    .groupBy('slot_id')
    .having((e) => e.fn.countAll(), '=', days.end - days.from)
    .execute();
  const isWhole = new Set(whole.map(({ slot_id }) => slot_id));
  const others = slotIds.filter((slotId) => !isWhole.has(slotId));
  if (others.length === 0) return new Map();
  const known = await remembered(read, others, days).select(['slot_id', 'day']).execute();
  const isKnown = new Set(known.map(({ slot_id, day }) => `${slot_id} ${day}`));
  const gaps = new Map<number, string[]>();
  for (let day = days.from; day < days.end; day++) {
    const missing = others.filter((slotId) => !isKnown.has(`${slotId} ${day}`));
    if (missing.length > 0) gaps.set(day, missing);
  }
  return gaps;
}

/**
 * Stores the final counts of a day, for numbers that have sent all of it. With concurrent writers its rows are locked
 * first: the command that records a late receipt waits, and finds the row that it makes stale.
 */
export async function rememberDay(
  store: Pick<Store, 'dialect'>,
  trx: Writer,
  day: number,
  slotIds: readonly string[],
): Promise<void> {
  const numbers = trx.selectFrom('devices').where('devices.slot_id', 'in', slotIds);
  const writing = trx.insertInto('sent_days').columns(['slot_id', 'day', ...NAMES, 'is_stale']);
  if (store.dialect === 'postgres')
    await writing
      .expression(
        numbers
          .select((e) => ['slot_id', e.lit(day).as('day'), ...NAMES.map((name) => e.lit(0).as(name))])
          .select((e) => e.lit(1).as('is_stale'))
          .orderBy('slot_id'),
      )
      .onConflict((conflict) => conflict.columns(['slot_id', 'day']).doUpdateSet({ is_stale: 1 }))
      .execute();
  await writing
    .expression(
      numbers
        .leftJoin('messages', (join) =>
          join
            .onRef('messages.slot_id', '=', 'devices.slot_id')
            .on('messages.id', '>=', messageIdAt(day * DAY_MS))
            .on('messages.id', '<', messageIdAt((day + 1) * DAY_MS)),
        )
        .select((e) => [
          'devices.slot_id',
          e.lit(day).as('day'),
          ...NAMES.map((name) => countOf(e, name).as(name)),
          e.lit(0).as('is_stale'),
        ])
        .groupBy('devices.slot_id')
        .having(
          (e) => countOf(e, 'accepted'),
          '=',
          (e) => e(countOf(e, 'sent'), '+', countOf(e, 'failed')),
        ),
    )
    .onConflict((conflict) =>
      conflict.columns(['slot_id', 'day']).doUpdateSet(({ ref }) => ({
        ...Object.fromEntries(NAMES.map((name) => [name, ref(`excluded.${name}`)])),
        is_stale: 0,
      })),
    )
    .execute();
}

export async function forgetDaysBefore(trx: Writer, day: number, slotIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('sent_days').where('slot_id', 'in', slotIds).where('day', '<', day).execute();
}
