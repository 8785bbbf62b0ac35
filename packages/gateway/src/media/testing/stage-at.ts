import path from 'node:path';
import { createDataKeys, type DataKeys } from '#accounts';
import {
  createIds,
  createSealedBox,
  createSteppedClock,
  createSystemClock,
  systemRandom,
  type TravelClock,
} from '#kernel';
import { migrations, openStore, type Store } from '#platform/store';
import type { MediaStore } from '../blobs/port.ts';
import { createFolderStore } from '../blobs/stores.ts';
import { createMediaLibrary, type MediaLibrary, type NewFile } from '../library.ts';

/** The room with a database and a folder, and nothing around it. */
export interface MediaStage {
  readonly store: Store;
  readonly url: string;
  readonly blobs: MediaStore;
  readonly clock: TravelClock;
  readonly library: MediaLibrary;
  readonly dataKeys: DataKeys;
  readonly kept: string;
  readonly incoming: string;
  file(bytes: Uint8Array): NewFile;
  /** As a message in the outbox would. */
  pin(mediaId: string, slotId: string, seq: number): Promise<void>;
  queue(slotId: string, seq: number): Promise<void>;
  unqueue(slotId: string, seq: number): Promise<void>;
  close(): Promise<void>;
}

/** On a folder and a database that may have been used before. Nothing of a test runner is needed here: processes that are killed start with it. */
export async function createStageAt(
  folder: string,
  url: string,
  masterKey: Uint8Array,
  given?: MediaStore,
): Promise<MediaStage> {
  const store = await openStore({ url, commandModules: [], migrations, clock: createSystemClock() });
  const clock = createSteppedClock();
  const sealedBox = createSealedBox({ masterKeys: [masterKey], random: systemRandom });
  const dataKeys = createDataKeys({ store, sealedBox, random: systemRandom, clock });
  const ids = createIds({ clock, random: systemRandom });
  const kept = path.join(folder, 'kept');
  const incoming = path.join(folder, 'incoming');
  const blobs = given ?? createFolderStore(kept);
  const library = createMediaLibrary({ store, blobs, dataKeys, clock, random: systemRandom, ids, incoming });

  async function queue(slotId: string, seq: number): Promise<void> {
    const row = { message_id: `M${seq}`, sealed: new Uint8Array(), attempts: 0, due_at: 0 };
    await store.transaction((trx) =>
      trx
        .insertInto('outbox')
        .values({ slot_id: slotId, seq, ...row })
        .execute(),
    );
  }

  async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield bytes;
  }

  return {
    store,
    url,
    blobs,
    clock,
    library,
    dataKeys,
    kept,
    incoming,
    file: (bytes) => ({
      bytes: once(bytes),
      mimetype: 'image/png',
      fileName: '',
      maxBytes: 64 * 1024 * 1024,
    }),
    async pin(mediaId, slotId, seq) {
      await store.transaction((trx) =>
        trx.insertInto('media_pins').values({ media_id: mediaId, slot_id: slotId, seq }).execute(),
      );
      await queue(slotId, seq);
    },
    queue,
    async unqueue(slotId, seq) {
      await store.transaction((trx) =>
        trx.deleteFrom('outbox').where('slot_id', '=', slotId).where('seq', '=', seq).execute(),
      );
    },
    close: () => store.close(),
  };
}
