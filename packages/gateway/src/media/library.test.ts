import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseNames } from '#testing';
import { createFolderStore } from './blobs/folder.ts';
import type { MediaStore } from './blobs/port.ts';
import type { Media } from './library.ts';
import { dropOldMedia } from './sweep.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

const BYTES = Buffer.from('the same file');

describe.each(databaseNames)('the library of files (%s)', (database) => {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  /** On a folder whose methods a test changes. */
  async function start(change: (folder: MediaStore) => Partial<MediaStore> = () => ({})) {
    const root = mkdtempSync(path.join(tmpdir(), 'parley-library-'));
    const folder = createFolderStore(root);
    const stage = await createStage(database, { ...folder, ...change(folder) });
    cleanUps.push(
      () => stage.close(),
      () => rmSync(root, { recursive: true }),
    );
    const keep = () => stage.library.keep({ accountId: 'ada', phone: null }, stage.file(BYTES));
    return { stage, keep, account: path.join(root, 'ada') };
  }

  const read = async ({ library }: MediaStage, media: Media) =>
    buffer(await library.read(media, { from: 0, to: media.size }));
  const objectsOf = ({ store }: MediaStage) =>
    store.read.selectFrom('media_objects').select(['id', 'uses']).execute();

  it('keeps a file once that comes twice at the same time', async () => {
    const both = Promise.withResolvers<void>();
    let arrived = 0;
    const { stage, keep, account } = await start((folder) => ({
      async put(...file) {
        arrived += 1;
        if (arrived === 2) both.resolve();
        await both.promise;
        await folder.put(...file);
      },
    }));
    const [one, other] = await Promise.all([keep(), keep()]);
    expect(one.objectId).toBe(other.objectId);
    expect(await objectsOf(stage)).toEqual([{ id: one.objectId, uses: 2 }]);
    expect(readdirSync(account)).toEqual([one.objectId]);
    expect(await read(stage, other)).toEqual(BYTES);
    expect(await stage.store.read.selectFrom('media_reservations').select('id').execute()).toEqual([]);
  });

  it('stores a file anew when the known object is dropped before the new row refers to it', async () => {
    let drop: (() => Promise<unknown>) | undefined;
    const { stage, keep } = await start((folder) => ({
      async has(name) {
        const isThere = await folder.has(name);
        await drop?.();
        return isThere;
      },
    }));
    const { objectId } = await keep();
    drop = async () => {
      drop = undefined;
      stage.clock.advance(60 * 86_400_000);
      await dropOldMedia(stage);
    };
    const again = await keep();
    expect(again.objectId).not.toBe(objectId);
    expect(await objectsOf(stage)).toEqual([{ id: again.objectId, uses: 1 }]);
    expect(await read(stage, again)).toEqual(BYTES);
  });

  it('gives all rows of a lost object the bytes that are stored anew', async () => {
    const { stage, keep, account } = await start();
    const before = await keep();
    rmSync(path.join(account, before.objectId));
    const again = await keep();
    const found = await stage.library.find('ada', before.id);
    expect(found?.objectId).toBe(again.objectId);
    expect(found && (await read(stage, found))).toEqual(BYTES);
    expect(await objectsOf(stage)).toEqual([{ id: again.objectId, uses: 1 }]);
  });

  it('answers that a file is not found when its bytes are lost, and that the store is out of reach when it is', async () => {
    const { stage, keep, account } = await start();
    const media = await keep();
    rmSync(path.join(account, media.objectId));
    expect(await stage.library.hold(media)).toBe(false);
    await expect(read(stage, media)).rejects.toMatchObject({ code: 'media_not_found', status: 404 });
    // No folder any more: neither there nor missing.
    rmSync(account, { recursive: true });
    writeFileSync(account, '');
    const unreachable = { code: 'media_store_unreachable', status: 503 };
    await expect(read(stage, media)).rejects.toMatchObject(unreachable);
    await expect(stage.library.hold(media)).rejects.toMatchObject(unreachable);
    await expect(keep()).rejects.toMatchObject(unreachable);
    expect(readdirSync(stage.incoming)).toEqual([]);
    expect(await stage.store.read.selectFrom('media_reservations').select('id').execute()).toEqual([]);
  });
});
