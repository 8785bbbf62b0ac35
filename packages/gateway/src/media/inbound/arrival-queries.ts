import { DAY_MS } from '#kernel';
import type { MediaArrivalRow, MediaRow, Store } from '#platform/store';
import { type Dropped, dropUnused, isNotNeeded } from '../media-queries.ts';

/** For ever, or until its message is deleted: so far away that no retention is longer. */
const WITH_ITS_MESSAGE_MS = 20 * 365 * DAY_MS;

/** Notes that a file came; the same file again changes nothing. It is kept with its message only while that history is on. */
export function insertArrival(store: Store, media: MediaRow, arrival: MediaArrivalRow): Promise<void> {
  return store.transaction(async (trx) => {
    const { history_id } = arrival;
    const query = trx
      .selectFrom('histories')
      .select('id')
      .where('id', '=', history_id ?? '')
      .where('ended_at', 'is', null);
    // A request that ends the history meanwhile waits for this transaction, and finds the file.
    const isKept =
      history_id !== null &&
      (await (store.dialect === 'postgres' ? query.forShare() : query).executeTakeFirst()) !== undefined;
    await trx
      .insertInto('media')
      .values(isKept ? { ...media, expires_at: media.made_at + WITH_ITS_MESSAGE_MS } : media)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx
      .insertInto('media_arrivals')
      .values(isKept ? arrival : { ...arrival, history_id: null, chat: null, message_id: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** False when the copy was dropped meanwhile. */
export async function extendCopy(store: Store, mediaId: string, until: number): Promise<boolean> {
  const { numUpdatedRows } = await store.transaction((trx) =>
    trx
      .updateTable('media_arrivals')
      .set({ copy_until: until })
      .where('media_id', '=', mediaId)
      .where('copy_until', 'is not', null)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Drops copies whose time is over, unless a message that waits needs them; the network may be asked for them again. */
export function dropOldCopies(
  store: Store,
  now: number,
  count: number,
): Promise<{ readonly copies: number; readonly objects: readonly Dropped[] }> {
  return store.transaction(async (trx) => {
    const ended = await trx
      .selectFrom('media_arrivals')
      .innerJoin('media', 'media.id', 'media_arrivals.media_id')
      .select(['media.id', 'media.object_id'])
      .where('media_arrivals.copy_until', '<', now)
      .where(isNotNeeded)
      .orderBy('media_arrivals.copy_until')
      .limit(count)
      .execute();
    if (ended.length === 0) return { copies: 0, objects: [] };
    // A concurrent request for the file may have prolonged it.
    const over = await trx
      .updateTable('media_arrivals')
      .set({ copy_until: null })
      .where(
        'media_id',
        'in',
        ended.map(({ id }) => id),
      )
      .where('copy_until', '<', now)
      .returning('media_id')
      .execute();
    const ids = new Set(over.map(({ media_id }) => media_id));
    const dropped = ended.filter(({ id }) => ids.has(id));
    if (dropped.length > 0)
      await trx
        .updateTable('media')
        .set({ object_id: '' })
        .where('id', 'in', [...ids])
        .execute();
    return { copies: ended.length, objects: await dropUnused(trx, dropped) };
  });
}
