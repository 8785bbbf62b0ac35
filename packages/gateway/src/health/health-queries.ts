import { HEALTH_STATES, type HealthState, type Pacing } from '@parley/contract';
import { sql } from 'kysely';
import { type Actor, auditedTransaction, record } from '#accounts';
import { DAY_MS, sortBy } from '#kernel';
import type { HealthCountRow, NumberHealthRow, Reader, Store, Writer } from '#platform/store';
import { COUNTS, type Counts, dayOf, sumOf } from './counting/counts.ts';
import { isPersonal } from './pacing/pacing.ts';
import { unknownHealth } from './state/number-health.ts';

type Db = Pick<Reader, 'selectFrom'>;

/** Undefined when the number was never linked. */
export async function findHealth(
  db: Db,
  { slotId, accountId }: { slotId: string; accountId: string },
  now: number,
): Promise<NumberHealthRow | undefined> {
  const row = await db
    .selectFrom('number_health')
    .selectAll()
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
  if (row) return row;
  const session = await db
    .selectFrom('sessions')
    .select('session_id')
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
  return session && unknownHealth({ slotId, accountId, sessionId: session.session_id }, now);
}

/** All numbers that were ever linked, or those of one account. */
export function healthOfMany(db: Db, accountId?: string): Promise<NumberHealthRow[]> {
  const all = db.selectFrom('number_health').selectAll();
  return (accountId === undefined ? all : all.where('account_id', '=', accountId)).execute();
}

export async function recentNewChats(db: Db, slotId: string): Promise<string> {
  const row = await db
    .selectFrom('send_limits')
    .select('new_chats')
    .where('slot_id', '=', slotId)
    .executeTakeFirst();
  return row?.new_chats ?? '[]';
}

export function countsSince(db: Db, slotId: string, from: number): Promise<HealthCountRow[]> {
  return db
    .selectFrom('health_counts')
    .selectAll()
    .where('slot_id', '=', slotId)
    .where('starts_at', '>=', from)
    .execute();
}

/** Number of messages received since the beginning of a day, counted from 1970. */
export async function countReceived(
  { read }: Pick<Store, 'read'>,
  slotIds: readonly string[],
  { firstDay, by }: { firstDay: number; by: readonly ('day' | 'slot_id')[] },
): Promise<{ day?: number; slot_id?: string; count: number }[]> {
  if (slotIds.length === 0) return [];
  const rows = await read
    .selectFrom('health_counts')
    .select((e) => e.fn.sum<number>('received').as('count'))
    .$if(by.includes('day'), (query) =>
      query.select((e) => e('starts_at', '/', e.lit(DAY_MS)).as('day')).groupBy('day'),
    )
    .$if(by.includes('slot_id'), (query) => query.select('slot_id').groupBy('slot_id'))
    .where('slot_id', 'in', slotIds)
    .where('starts_at', '>=', firstDay * DAY_MS)
    .where('received', '>', 0)
    .execute();
  return rows.map(({ day, count, ...row }) => ({
    ...row,
    ...(day !== undefined && { day: Number(day) }),
    count: Number(count ?? 0),
  }));
}

/** Changes the pacing of a number and returns all of it; undefined when the number was never linked. */
export function choosePacing(
  store: Store,
  number: { slotId: string; accountId: string; phone: string },
  choose: (before: Partial<Pacing>) => Partial<Pacing>,
  { now, by }: { now: number; by: Actor | undefined },
): Promise<NumberHealthRow | undefined> {
  return auditedTransaction(store, async (trx) => {
    const row = await findHealth(trx, number, now);
    if (!row) return undefined;
    const before = row.pacing === null ? {} : (JSON.parse(row.pacing) as Partial<Pacing>);
    const pacing = JSON.stringify(choose(before));
    await trx
      .insertInto('number_health')
      .values({ ...row, pacing })
      .onConflict((conflict) => conflict.column('slot_id').doUpdateSet({ pacing }))
      .execute();
    const { accountId, slotId: subject, phone } = number;
    if (by)
      await record(trx, now, { actor: by, accountId, action: 'pacing.chosen', subject, detail: { phone } });
    return { ...row, pacing };
  });
}

/** Numbers whose health changes with time alone, and is due. */
export function dueNumbers({ read }: Pick<Store, 'read'>, now: number, limit: number) {
  return read
    .selectFrom('number_health')
    .select(['slot_id', 'account_id', 'session_id'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** Merges the hours of each day before this time into one row. Returns the number of numbers. */
export async function foldHours(store: Store, before: number, limit: number): Promise<number> {
  const isWithinDay = sql<boolean>`starts_at % ${sql.lit(DAY_MS)} <> 0`;
  const found = await store.read
    .selectFrom('health_counts')
    .select('slot_id')
    .distinct()
    .where('starts_at', '<', before)
    .where(isWithinDay)
    .limit(limit)
    .execute();
  if (found.length === 0) return 0;
  const slotIds = found.map(({ slot_id }) => slot_id);
  await store.transaction(async (trx) => {
    const hours = await trx
      .deleteFrom('health_counts')
      .where('slot_id', 'in', slotIds)
      .where('starts_at', '<', before)
      .where(isWithinDay)
      .returningAll()
      .execute();
    const days = Map.groupBy(hours, ({ slot_id, starts_at }) => `${slot_id} ${dayOf(starts_at)}`);
    for (const [, [first, ...others]] of sortBy(days, ([key]) => key))
      if (first) await addToDay(trx, first, sumOf([first, ...others]));
  });
  return found.length;
}

async function addToDay(
  trx: Writer,
  { slot_id, starts_at }: Pick<HealthCountRow, 'slot_id' | 'starts_at'>,
  sums: Counts,
): Promise<void> {
  await trx
    .insertInto('health_counts')
    .values({ slot_id, starts_at: dayOf(starts_at), ...sums })
    .onConflict((conflict) =>
      conflict
        .columns(['slot_id', 'starts_at'])
        .doUpdateSet(({ eb, ref }) =>
          Object.fromEntries(
            COUNTS.map((name) => [name, eb(ref(`health_counts.${name}`), '+', ref(`excluded.${name}`))]),
          ),
        ),
    )
    .execute();
}

export async function dropCounts(store: Store, before: number, limit: number): Promise<number> {
  const old = await store.read
    .selectFrom('health_counts')
    .select(['slot_id', 'starts_at'])
    .where('starts_at', '<', before)
    .orderBy('starts_at')
    .limit(limit)
    .execute();
  if (old.length === 0) return 0;
  await store.transaction(async (trx) => {
    for (const [startsAt, rows] of Map.groupBy(old, (row) => row.starts_at)) {
      const slotIds = rows.map(({ slot_id }) => slot_id);
      await trx
        .deleteFrom('health_counts')
        .where('slot_id', 'in', slotIds)
        .where('starts_at', '=', startsAt)
        .execute();
    }
  });
  return old.length;
}

/** Count of numbers by state, with zeros. */
export async function numbersByState({ read }: Pick<Store, 'read'>): Promise<Map<HealthState, number>> {
  const rows = await read
    .selectFrom('number_health')
    .select(['state', ({ fn }) => fn.countAll().as('numbers')])
    .groupBy('state')
    .execute();
  const counts = new Map(rows.map(({ state, numbers }) => [state, Number(numbers)]));
  return new Map(HEALTH_STATES.map((state) => [state, counts.get(state) ?? 0]));
}

/** Number of messages refused as new chats since then. */
export async function refusalsSince(
  { read }: Pick<Store, 'read'>,
  from: number,
): Promise<{ known: number; unknown: number }> {
  const sums = await read
    .selectFrom('health_counts')
    .select(({ fn }) => [
      fn.sum('refused_463_known').as('known'),
      fn.sum('refused_463_unknown').as('unknown'),
    ])
    .where('starts_at', '>=', from)
    .executeTakeFirst();
  return { known: Number(sums?.known ?? 0), unknown: Number(sums?.unknown ?? 0) };
}

/** Records existing chats as reached. */
export async function meetPeople(
  store: Pick<Store, 'transaction'>,
  slotId: string,
  people: readonly string[],
  at: number,
): Promise<void> {
  const rows = people.filter(isPersonal).map((person) => ({ slot_id: slotId, person, reached_at: at }));
  if (rows.length === 0) return;
  await store.transaction((trx) =>
    trx
      .insertInto('known_people')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['slot_id', 'person'])
          .doUpdateSet({ reached_at: sql`coalesce(known_people.reached_at, excluded.reached_at)` }),
      )
      .execute(),
  );
}
