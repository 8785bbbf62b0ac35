import type { QuarantineEntry } from '@parley/contract';
import { DAY_MS } from '#kernel';
import type { QuarantineRow, Store, Writer } from '#platform/store';

export async function insertQuarantined(trx: Writer, row: QuarantineRow): Promise<void> {
  await trx
    .insertInto('quarantine')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface QuarantineQuery {
  readonly account_id?: string | undefined;
  /** An entry's id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first, across accounts, without content. */
export async function listQuarantine(
  { read }: Pick<Store, 'read'>,
  { account_id: accountId, before, limit }: QuarantineQuery,
): Promise<QuarantineEntry[]> {
  let query = read
    .selectFrom('quarantine')
    .leftJoin('devices', 'devices.slot_id', 'quarantine.slot_id')
    .select((e) => [
      'quarantine.id',
      'quarantine.account_id',
      'quarantine.kind',
      'quarantine.reason',
      'quarantine.size',
      'quarantine.at',
      e.ref('devices.phone').as('phone'),
    ])
    .orderBy('quarantine.at', 'desc')
    .orderBy('quarantine.id', 'desc')
    .limit(limit);
  if (accountId !== undefined) query = query.where('quarantine.account_id', '=', accountId);
  if (before !== undefined) {
    const last = read.selectFrom('quarantine').select(['at', 'id']).where('id', '=', before);
    query = query.where((e) =>
      e(e.refTuple('quarantine.at', 'quarantine.id'), '<', last.$asTuple('at', 'id')),
    );
  }
  const rows = await query.execute();
  return rows.map(({ id, account_id, phone, kind, reason, size, at }) => ({
    quarantine_id: id,
    account_id,
    phone,
    kind,
    reason,
    size,
    quarantined_at: new Date(at).toISOString(),
  }));
}

/** A quarantined event with its number and session; undefined for an unknown id. */
export function findQuarantined({ read }: Pick<Store, 'read'>, id: string) {
  return read
    .selectFrom('quarantine')
    .leftJoin('sessions', 'sessions.slot_id', 'quarantine.slot_id')
    .select((e) => [
      'quarantine.account_id',
      'quarantine.slot_id',
      'quarantine.sealed',
      e.ref('sessions.session_id').as('session_id'),
      e.ref('sessions.phone').as('phone'),
    ])
    .where('quarantine.id', '=', id)
    .executeTakeFirst();
}

export async function noteReason(trx: Writer, id: string, reason: string): Promise<void> {
  await trx.updateTable('quarantine').set({ reason }).where('id', '=', id).execute();
}

/** Whose it was; undefined when there is none of that id. */
export async function deleteQuarantined(trx: Writer, id: string): Promise<string | undefined> {
  const gone = trx.deleteFrom('quarantine').where('id', '=', id).returning('account_id');
  return (await gone.executeTakeFirst())?.account_id;
}

const QUARANTINE_KEPT_MS = 30 * DAY_MS;

export async function dropOldQuarantine(store: Pick<Store, 'transaction'>, now: number): Promise<void> {
  await store.transaction((trx) =>
    trx
      .deleteFrom('quarantine')
      .where('at', '<=', now - QUARANTINE_KEPT_MS)
      .execute(),
  );
}
