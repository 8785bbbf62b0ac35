import { type RawBuilder, sql } from 'kysely';
import { messageIdAt } from '#kernel';
import type { MessageRow, Store, Writer } from '#store';
import type { Week } from './weeks.ts';

/** Takes what no other part does. */
const REST = 'messages_rest';

export interface Part {
  readonly name: string;
  /** Its ids are before this one; null where it has no end. */
  readonly to: string | null;
}

/** The table whose old rows are deleted one by one; a week is dropped as a whole. */
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

/** Any number will do, as long as every Parley uses the same and nobody else does. */
const PARTS_LOCK = 7_275_395_301;
/** Everybody who comes waits behind a change of the table, which waits for those who use it; so not for long, and again a minute later. */
const LOCK_WAIT = sql.lit('1s');
/** Making a part reads the rest from end to end, while nobody else can use it. */
const LARGEST_REST_BYTES = 32 * 1_048_576;
/** The storage parameters of `messages_rest`. */
const KEPT_LIKE = sql`with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)`;

/** Does work that changes what parts there are, unless another process is at it. */
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

/** Read from the catalog itself: what a session remembers of names may be older than the lock that it has just been given. */
function isPart(trx: Writer, name: string): Promise<boolean> {
  return found(
    trx,
    sql`select 1 from pg_inherits join pg_class part on part.oid = inhrelid
      where inhparent = to_regclass('messages') and part.relname = ${name}`,
  );
}

/** Answers whether it was made. A week of which there is something in the rest stays there, and so does all of it while that is large. */
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

/** Drops a part with all that is in it, but for what still waits to be sent: that comes to the rest. Answers whether it was done. */
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

/** Drops some of the messages that were accepted before, and have ended; tells how many. */
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
