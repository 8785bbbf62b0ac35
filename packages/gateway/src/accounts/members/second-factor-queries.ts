import type { SecondFactorRow, Writer } from '#platform/store';
import type { Queries } from '../account-queries.ts';

export function findFactor(db: Queries, memberId: string): Promise<SecondFactorRow | undefined> {
  return db.selectFrom('second_factors').selectAll().where('member_id', '=', memberId).executeTakeFirst();
}

export async function insertFactor(trx: Writer, row: SecondFactorRow): Promise<void> {
  await trx.insertInto('second_factors').values(row).execute();
}

/** With its recovery codes. */
export async function deleteFactor(trx: Writer, memberId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('member_id', '=', memberId).execute();
  await trx.deleteFrom('second_factors').where('member_id', '=', memberId).execute();
}

/** False when a code of this period, or of a later one, was taken before. */
export async function takePeriod(trx: Writer, memberId: string, period: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factors')
    .set({ last_step: period })
    .where('member_id', '=', memberId)
    .where('last_step', '<', period)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function markConfirmed(trx: Writer, memberId: string, now: number): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set({ confirmed_at: now })
    .where('member_id', '=', memberId)
    .execute();
}

export async function insertRecoveryCodes(
  trx: Writer,
  memberId: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  const rows = hashes.map((code_hash) => ({ member_id: memberId, code_hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

export async function countRecoveryCodes(db: Queries, memberId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((e) => e.fn.countAll<number>().as('left'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** False when there is no such code, or it was taken before. */
export async function takeRecoveryCode(trx: Writer, memberId: string, hash: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('member_id', '=', memberId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
