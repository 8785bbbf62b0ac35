import { type ExpressionBuilder, sql } from 'kysely';
import { apiError } from '#kernel';
import type {
  MediaArrivalRow,
  MediaReservationRow,
  MediaRow,
  Reader,
  Store,
  Tables,
  Writer,
} from '#platform/store';

/** With what is known of the message that it came with, if it did. */
export type FoundMedia = MediaRow & {
  readonly [Field in 'slot_id' | 'history_id' | 'copy_until']: MediaArrivalRow[Field] | null;
};

export function findMedia(read: Reader, id: string): Promise<FoundMedia | undefined> {
  return read
    .selectFrom('media')
    .leftJoin('media_arrivals', 'media_arrivals.media_id', 'media.id')
    .selectAll('media')
    .select(['media_arrivals.slot_id', 'media_arrivals.history_id', 'media_arrivals.copy_until'])
    .where('media.id', '=', id)
    .executeTakeFirst();
}

export async function findObject(
  read: Reader,
  accountId: string,
  fingerprint: Uint8Array,
): Promise<string | undefined> {
  const row = await read
    .selectFrom('media_objects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return row?.id;
}

/** What is written of a file. */
export interface MediaWrite {
  readonly media: MediaRow;
  /** The row is there, and gets its bytes now: until when they stay, null for as long as the row does. Absent: the row is new. */
  readonly copyUntil?: number | null;
  /** It counts as a file of the account from now on, whatever the same bytes were before. */
  readonly isFile: boolean;
}

/** False when the object has been dropped meanwhile. */
export function attachMedia(store: Store, objectId: string, write: MediaWrite): Promise<boolean> {
  return store.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('media_objects')
      .set(({ eb }) => ({ uses: eb('uses', '+', 1), ...(write.isFile && { budget: null }) }))
      .where('id', '=', objectId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await writeMedia(trx, objectId, write);
    return true;
  });
}

async function writeMedia(trx: Writer, objectId: string, { media, copyUntil }: MediaWrite): Promise<void> {
  const row = { ...media, object_id: objectId };
  if (copyUntil === undefined) {
    await trx.insertInto('media').values(row).execute();
    return;
  }
  const { object_id, size, details } = row;
  const { numUpdatedRows } = await trx
    .updateTable('media')
    .set({ object_id, size, details })
    .where('id', '=', media.id)
    .where('expires_at', '>', 0)
    .executeTakeFirst();
  // Its message was deleted while it was on its way.
  if (numUpdatedRows === 0n) throw apiError('media_not_found');
  await trx
    .updateTable('media_arrivals')
    .set({ copy_until: copyUntil })
    .where('media_id', '=', media.id)
    .execute();
}

export interface NewObject {
  readonly id: string;
  readonly fingerprint: Uint8Array;
  readonly size: number;
  readonly at: number;
  readonly budget: 'export' | null;
  /** Turns the room that was reserved for it into what it takes. */
  readonly settle: (trx: Writer, bytes: number) => Promise<void>;
}

/** Returns the object of the media: another one if the same file was stored concurrently. */
export function insertMedia(
  store: Store,
  object: NewObject,
  write: MediaWrite,
  /** An object of the same bytes that the media store has lost. */
  lost?: string,
): Promise<string> {
  const { id, fingerprint, size, at, budget, settle } = object;
  return store.transaction(async (trx) => {
    if (lost !== undefined) {
      await trx.deleteFrom('media_objects').where('id', '=', lost).execute();
      await trx.updateTable('media').set({ object_id: id }).where('object_id', '=', lost).execute();
    }
    await settle(trx, size);
    const { id: objectId } = await trx
      .insertInto('media_objects')
      .values({ id, account_id: write.media.account_id, fingerprint, size, uses: 1, made_at: at, budget })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'fingerprint']).doUpdateSet(({ eb }) => ({
          uses: eb('media_objects.uses', '+', 1),
          ...(write.isFile && { budget: null }),
        })),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeMedia(trx, objectId, write);
    return objectId;
  });
}

/** What its time is over for is dropped with everything else of that kind. */
export async function endMedia(store: Store, id: string, at: number): Promise<void> {
  await store.transaction((trx) =>
    trx
      .updateTable('media')
      .set({ expires_at: at })
      .where('id', '=', id)
      .where('expires_at', '>', at)
      .execute(),
  );
}

export interface Dropped {
  readonly account_id: string;
  readonly id: string;
}

/** Deletes expired media, except those that a message in the outbox needs, and returns the objects without references. */
export function dropExpiredMedia(
  store: Store,
  before: number,
  count: number,
): Promise<{ readonly media: number; readonly objects: readonly Dropped[] }> {
  return store.transaction(async (trx) => {
    const ended = await trx
      .selectFrom('media')
      .select(['id', 'object_id'])
      .where('expires_at', '<', before)
      .where(isNotNeeded)
      .orderBy('expires_at')
      .limit(count)
      .execute();
    if (ended.length === 0) return { media: 0, objects: [] };
    const ids = ended.map(({ id }) => id);
    await trx.deleteFrom('media').where('id', 'in', ids).execute();
    await trx.deleteFrom('media_pins').where('media_id', 'in', ids).execute();
    await trx.deleteFrom('media_arrivals').where('media_id', 'in', ids).execute();
    return { media: ids.length, objects: await dropUnused(trx, ended) };
  });
}

/** No message that waits in the outbox has noted it. */
export function isNotNeeded({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'media'>) {
  return not(
    exists(
      selectFrom('media_pins')
        .innerJoin('outbox', (join) =>
          join.onRef('outbox.slot_id', '=', 'media_pins.slot_id').onRef('outbox.seq', '=', 'media_pins.seq'),
        )
        .select('media_pins.media_id')
        .whereRef('media_pins.media_id', '=', 'media.id'),
    ),
  );
}

/**
 * The objects of these rows that no row refers to any more. A concurrent reference increases the use count of its object, which
 * makes the count read here stale.
 */
export async function dropUnused(
  trx: Writer,
  rows: readonly { readonly object_id: string }[],
): Promise<Dropped[]> {
  const ids = [...new Set(rows.map(({ object_id }) => object_id))];
  if (ids.length === 0) return [];
  const objects = await trx
    .selectFrom('media_objects')
    .select(['id', 'uses'])
    .where('id', 'in', ids)
    .execute();
  const dropped: Dropped[] = [];
  for (const { id, uses } of objects) {
    const gone = await trx
      .deleteFrom('media_objects')
      .where('id', '=', id)
      .where('uses', '=', uses)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('media').select('media.id').where('media.object_id', '=', id))),
      )
      .returning(['account_id', 'id'])
      .execute();
    dropped.push(...gone);
  }
  return dropped;
}

/** Which of these objects are known. */
export async function knownObjects(read: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await read.selectFrom('media_objects').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

const OBJECTS_PER_STEP = 100;

export function someObjectsOf(read: Reader, accountId: string): Promise<{ id: string }[]> {
  return read
    .selectFrom('media_objects')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(OBJECTS_PER_STEP)
    .execute();
}

export async function deleteObjects(
  store: Pick<Store, 'transaction'>,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await store.transaction((trx) =>
    trx.deleteFrom('media_objects').where('account_id', '=', accountId).where('id', 'in', ids).execute(),
  );
}

interface WantedRoom {
  readonly id: string;
  readonly accountId: string;
  readonly budget: MediaReservationRow['budget'];
  readonly now: number;
}

/** Bytes stored and reserved apart from one file. Locks the reservations of the account until the transaction ends. */
export async function bytesBeside(
  trx: Writer,
  dialect: Store['dialect'],
  { id, accountId, budget, now }: WantedRoom,
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
