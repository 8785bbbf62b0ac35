import { HEALTH_STATES, type HealthState, type Pacing } from '@parley/contract';
import type { HealthDayRow, NumberHealthRow, Reader, Store } from '#store';
import { unknownHealth } from './standing/standing.ts';

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

/** Of all numbers that were ever linked, or of those of one account. */
export function healthOfMany(db: Db, accountId?: string): Promise<NumberHealthRow[]> {
  const all = db.selectFrom('number_health').selectAll();
  return (accountId === undefined ? all : all.where('account_id', '=', accountId)).execute();
}

/** The newest first. */
export function daysOf(db: Db, slotId: string, from: number): Promise<HealthDayRow[]> {
  return db
    .selectFrom('health_days')
    .selectAll()
    .where('slot_id', '=', slotId)
    .where('day', '>=', from)
    .orderBy('day', 'desc')
    .execute();
}

/** Changes what was chosen for a number and answers all of it; undefined when the number was never linked. */
export function choosePacing(
  store: Store,
  number: { slotId: string; accountId: string },
  choose: (before: Partial<Pacing>) => Partial<Pacing>,
  now: number,
): Promise<NumberHealthRow | undefined> {
  return store.transaction(async (trx) => {
    const row = await findHealth(trx, number, now);
    if (!row) return undefined;
    const before = row.pacing === null ? {} : (JSON.parse(row.pacing) as Partial<Pacing>);
    const pacing = JSON.stringify(choose(before));
    await trx
      .insertInto('number_health')
      .values({ ...row, pacing })
      .onConflict((conflict) => conflict.column('slot_id').doUpdateSet({ pacing }))
      .execute();
    return { ...row, pacing };
  });
}

/** Numbers whose standing changes by time alone, and should have by now. */
export function dueNumbers({ read }: Pick<Store, 'read'>, now: number, limit: number) {
  return read
    .selectFrom('number_health')
    .select(['slot_id', 'account_id', 'session_id'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

export async function dropDays(store: Store, before: number, limit: number): Promise<number> {
  const old = await store.read
    .selectFrom('health_days')
    .select(['slot_id', 'day'])
    .where('day', '<', before)
    .orderBy('day')
    .limit(limit)
    .execute();
  if (old.length === 0) return 0;
  await store.transaction(async (trx) => {
    for (const [day, rows] of Map.groupBy(old, (row) => row.day)) {
      const slotIds = rows.map(({ slot_id }) => slot_id);
      await trx.deleteFrom('health_days').where('slot_id', 'in', slotIds).where('day', '=', day).execute();
    }
  });
  return old.length;
}

/** How many numbers are in each state; those that nobody is in included. */
export async function numbersByState({ read }: Pick<Store, 'read'>): Promise<Map<HealthState, number>> {
  const rows = await read
    .selectFrom('number_health')
    .select(['state', ({ fn }) => fn.countAll().as('numbers')])
    .groupBy('state')
    .execute();
  const counts = new Map(rows.map(({ state, numbers }) => [state, Number(numbers)]));
  return new Map(HEALTH_STATES.map((state) => [state, counts.get(state) ?? 0]));
}

/** How many messages were refused as new chats on a day. */
export async function refusalsOn(
  { read }: Pick<Store, 'read'>,
  day: number,
): Promise<{ known: number; unknown: number }> {
  const sums = await read
    .selectFrom('health_days')
    .select(({ fn }) => [
      fn.sum('refused_463_known').as('known'),
      fn.sum('refused_463_unknown').as('unknown'),
    ])
    .where('day', '=', day)
    .executeTakeFirst();
  return { known: Number(sums?.known ?? 0), unknown: Number(sums?.unknown ?? 0) };
}
