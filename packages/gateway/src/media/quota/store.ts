import { sql } from 'kysely';
import type { MediaReservationRow, Store, Writer } from '#store';

interface Wanted {
  readonly id: string;
  readonly accountId: string;
  readonly budget: MediaReservationRow['budget'];
  readonly now: number;
}

/** All that is kept and reserved beside one file. Until the transaction ends nobody else reserves for the same account. */
export async function bytesBeside(
  trx: Writer,
  dialect: Store['dialect'],
  { id, accountId, budget, now }: Wanted,
): Promise<number> {
  if (dialect === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${`media ${accountId}`}, 0))`.execute(trx);
  await trx
    .deleteFrom('media_reservations')
    .where('account_id', '=', accountId)
    .where('expires_at', '<=', now)
    .execute();
  const { bytes: kept } = await trx
    .selectFrom('media_objects')
    .select(({ fn }) => fn.sum<string | number | null>('size').as('bytes'))
    .where('account_id', '=', accountId)
    .where(({ eb }) => (budget === 'export' ? eb('budget', '=', budget) : eb('budget', 'is', null)))
    .executeTakeFirstOrThrow();
  const { bytes: reserved } = await trx
    .selectFrom('media_reservations')
    .select(({ fn }) => fn.sum<string | number | null>('size').as('bytes'))
    .where('account_id', '=', accountId)
    .where('budget', '=', budget)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow();
  return Number(kept ?? 0) + Number(reserved ?? 0);
}

export async function writeReservation(trx: Writer, row: MediaReservationRow): Promise<void> {
  const { size, expires_at } = row;
  await trx
    .insertInto('media_reservations')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ size, expires_at }))
    .execute();
}

export async function dropReservation(trx: Writer, id: string): Promise<void> {
  await trx.deleteFrom('media_reservations').where('id', '=', id).execute();
}

export async function dropReservationsOf(trx: Writer, holder: string): Promise<void> {
  await trx.deleteFrom('media_reservations').where('holder', '=', holder).execute();
}
