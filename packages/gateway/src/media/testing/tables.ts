import { randomBytes } from 'node:crypto';
import type { MediaRow, Store } from '#platform/store';
import { insertArrival } from '../inbound/arrival-queries.ts';
import { findMedia, insertMedia, type MediaWrite } from '../media-queries.ts';

/** Rows of files, without a library that wrote them. */
export function createTables(current: () => Store) {
  let ids = 0;
  const newId = (): string => `id_${++ids}`;
  const rowOf = (changes: Partial<MediaRow> = {}): MediaRow => ({
    id: newId(),
    account_id: 'ada',
    phone: null,
    object_id: '',
    size: 1,
    details: new Uint8Array([1]),
    made_at: 10,
    expires_at: 100,
    ...changes,
  });
  const insert = (write: Omit<MediaWrite, 'isFile'>, fingerprint = randomBytes(32), lost?: string) => {
    const object = { id: newId(), fingerprint, size: 1, at: 10, budget: 'export' as const };
    const settle = async (): Promise<void> => {};
    return insertMedia(current(), { ...object, settle }, { ...write, isFile: false }, lost);
  };
  const arrive = async (changes: Partial<MediaRow> = {}) => {
    const media = rowOf(changes);
    const nothing = { history_id: null, chat: null, message_id: null, copy_until: null };
    await insertArrival(current(), media, { media_id: media.id, slot_id: 'slot', ...nothing });
    return media;
  };
  const found = ({ id }: { id: string }) => findMedia(current().read, id);
  const objectOf = (id: string, { read }: Pick<Store, 'read'> = current()) =>
    read.selectFrom('media_objects').select(['uses', 'budget']).where('id', '=', id).executeTakeFirst();
  return { arrive, found, insert, newId, objectOf, rowOf };
}
