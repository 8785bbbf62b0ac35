import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, messageIdAt } from '#kernel';
import type { MessageRow, Store, Writer } from '#platform/store';

/** The messages of a week, Monday to Sunday by UTC: their ids begin with the time. */
interface Week {
  /** Name of its table. */
  readonly name: string;
  /** Ids from here on, */
  readonly from: string;
  /** and before this one. */
  readonly to: string;
}

const WEEK_MS = 7 * DAY_MS;
/** Days are counted from a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The week of a time, and this many after it. */
export function weeksFrom(now: number, more: number): Week[] {
  const first = Math.floor((now - FIRST_MONDAY_MS) / WEEK_MS);
  return Array.from({ length: more + 1 }, (_, index) => weekNumber(first + index));
}

function weekNumber(number: number): Week {
  const start = FIRST_MONDAY_MS + number * WEEK_MS;
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
  return { name: `messages_${day}`, from: messageIdAt(start), to: messageIdAt(start + WEEK_MS) };
}

/** The default partition. */
const REST = 'messages_rest';

interface Part {
  readonly name: string;
  /** Its ids are before this one; null where it has no end. */
  readonly to: string | null;
}

/** The table whose old rows are deleted in steps; a week is dropped as a whole. */
function tableInSteps({ dialect }: Pick<Store, 'dialect'>): 'messages' | typeof REST {
  return dialect === 'sqlite' ? 'messages' : REST;
}

export async function listParts({ read }: Pick<Store, 'read'>): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select part.relname as name, substring(pg_get_expr(part.relpartbound, part.oid) from 'TO \\(''([^'']*)''\\)') as "to"
    from pg_inherits join pg_class part on part.oid = inhrelid
    where inhparent = to_regclass('messages') order by part.relname`.execute(read);
  return rows;
}

/** Any number, as long as every Parley uses the same one and no other program does. */
const PARTS_LOCK = 7_275_395_301;
/**
 * A change of the table queues behind its users, and later queries queue behind the change; so it waits briefly, and
 * retries a minute later.
 */
const LOCK_WAIT = sql.lit('1s');
/** Creating a part scans the rest under an exclusive lock. */
const LARGEST_REST_BYTES = 32 * 1_048_576;
/** The storage parameters of `messages_rest`. */
const KEPT_LIKE = sql`with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)`;

/** Runs a change of the parts, unless another process is running one. */
async function changeParts(store: Store, work: (trx: Writer) => Promise<boolean>): Promise<boolean> {
  return store.transaction(async (trx) => {
    await sql`set local lock_timeout = ${LOCK_WAIT}`.execute(trx);
    const locked = await found(trx, sql`select 1 where pg_try_advisory_xact_lock(${PARTS_LOCK})`);
    return locked && (await work(trx));
  });
}

async function found(trx: Writer, query: RawBuilder<unknown>): Promise<boolean> {
  return (await query.execute(trx)).rows.length > 0;
}

/** Reads the catalog itself: names cached by a session may be older than the lock that it has just got. */
function isPart(trx: Writer, name: string): Promise<boolean> {
  return found(
    trx,
    sql`select 1 from pg_inherits join pg_class part on part.oid = inhrelid
      where inhparent = to_regclass('messages') and part.relname = ${name}`,
  );
}

/**
 * Creates a part; true when it did. A week with rows in the rest stays there, and so does every week while the rest
 * is large.
 */
export function makePart(store: Store, { name, from, to }: Week): Promise<boolean> {
  return changeParts(store, async (trx) => {
    const [table, rest] = [sql.table(name), sql.table(REST)];
    if (await isPart(trx, name)) return false;
    if (await found(trx, sql`select 1 where pg_relation_size(${REST}) > ${LARGEST_REST_BYTES}`)) return false;
    await sql`lock table ${rest} in access exclusive mode`.execute(trx);
    if (await found(trx, sql`select 1 from ${rest} where id >= ${from} and id < ${to} limit 1`)) return false;
    await sql`create table ${table} (like messages including defaults) ${KEPT_LIKE}`.execute(trx);
    await sql`alter table messages attach partition ${table} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(
      trx,
    );
    return true;
  });
}

/** Drops a part with its rows; messages that still wait to be sent move to the rest. True when it did. */
export function dropPart(store: Store, name: string): Promise<boolean> {
  return changeParts(store, async (trx) => {
    const table = sql.table(name);
    if (!(await isPart(trx, name))) return false;
    await sql`alter table messages detach partition ${table}`.execute(trx);
    await sql`insert into messages select * from ${table} where id in (select message_id from outbox)`.execute(
      trx,
    );
    await sql`drop table ${table}`.execute(trx);
    return true;
  });
}

/** Deletes some finished messages accepted before then; returns their count. */
export function dropMessages(store: Store, before: number, count: number): Promise<number> {
  const table = tableInSteps(store);
  return store.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .withTables<Record<typeof REST, MessageRow>>()
      .deleteFrom(table)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom(table)
          .select('id')
          // Ids begin with the time, so the oldest are the first of the primary key.
          .where('id', '<', messageIdAt(before))
          .where('status', '!=', 'accepted')
          .orderBy('id')
          .limit(count),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
