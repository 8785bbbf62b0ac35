import type { AuditLog } from '@parley/contract';
import { sql } from 'kysely';
import type { AuditRow, Store, Writer } from '#platform/store';
import type { Queries } from '../account-queries.ts';
import type { Change } from './change.ts';

/**
 * Writes a change into the log, in the transaction that makes it (see `auditedTransaction`). The log is also the feed by which every process
 * learns that what it remembers of an account is out of date (see `directory.ts`).
 */
export async function record(trx: Writer, at: number, change: Change): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      number: (await lastEntryNumber(trx)) + 1,
      at,
      actor: change.actor,
      account_id: change.accountId,
      action: change.action,
      subject: change.subject,
      detail: JSON.stringify(change.detail ?? {}),
    })
    .execute();
}

/** 0 while there is none. */
export async function lastEntryNumber(db: Queries): Promise<number> {
  const last = db.selectFrom('audit_log').select((e) => e.fn.max('number').as('number'));
  return (await last.executeTakeFirst())?.number ?? 0;
}

/** Oldest first. */
export function entriesAfter(
  db: Queries,
  number: number,
  limit: number,
): Promise<Pick<AuditRow, 'number' | 'account_id'>[]> {
  return db
    .selectFrom('audit_log')
    .select(['number', 'account_id'])
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute();
}

interface AuditQuery {
  readonly account_id?: string | undefined;
  /** An `entry_id`: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function readAuditLog(
  store: Pick<Store, 'read'>,
  { account_id: accountId, before, limit }: AuditQuery,
): Promise<AuditLog['entries']> {
  let query = store.read.selectFrom('audit_log').selectAll().orderBy('number', 'desc').limit(limit);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (before !== undefined)
    query = query.where('number', '<', /^\d{1,15}$/.test(before) ? Number(before) : 0);
  const rows = await query.execute();
  const names = await namesOf(store, rows);
  return rows.map(({ number, at, detail, actor, account_id, action, subject }) => ({
    entry_id: String(number),
    at: new Date(at).toISOString(),
    actor,
    actor_name: names.get(actor) ?? null,
    account_id,
    action,
    subject,
    detail: JSON.parse(detail),
  }));
}

const MEMBER = 'member:';

/** Of the members among those who acted, as the log calls them. */
async function namesOf(
  { read }: Pick<Store, 'read'>,
  rows: readonly Pick<AuditRow, 'actor'>[],
): Promise<ReadonlyMap<string, string>> {
  const actors = rows.map(({ actor }) => actor).filter((actor) => actor.startsWith(MEMBER));
  const ids = [...new Set(actors)].map((actor) => actor.slice(MEMBER.length));
  if (ids.length === 0) return new Map();
  const members = await read
    .selectFrom('members')
    .select(['id', 'name', 'email'])
    .where('id', 'in', ids)
    .execute();
  return new Map(members.map(({ id, name, email }) => [`${MEMBER}${id}`, `${name} (${email})`]));
}

const ENTRIES_PER_STEP = 500;

/** What was changed by and for an account, but for its end, by which every process learns of it. */
export async function deleteSomeEntries(
  store: Pick<Store, 'transaction'>,
  accountId: string,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    const some = trx
      .selectFrom('audit_log')
      .select('number')
      .where('account_id', '=', accountId)
      .where('action', '!=', 'account.erased')
      .limit(ENTRIES_PER_STEP);
    const { numDeletedRows } = await trx
      .deleteFrom('audit_log')
      .where('number', 'in', some)
      .where('number', '<', sql<number>`(select max(number) from audit_log)`)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
