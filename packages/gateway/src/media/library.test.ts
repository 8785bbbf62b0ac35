import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseNames } from '#testing';
import type { MediaStore } from './blobs/port.ts';
import { createFolderStore } from './blobs/stores.ts';
import type { Media } from './library.ts';
import { dropOldMedia } from './sweep.ts';
import { createArrivedFiles } from './testing/arrived.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

const HOUR_MS = 3_600_000;
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

  it('keeps the bytes of a file that came with a message for an hour, longer when they are read in its second half', async () => {
    const { stage, account } = await start();
    const files = createArrivedFiles(stage);
    const { id } = await files.noted();
    const { arrival } = await stage.library.fill(await files.found(id), Readable.from([BYTES]));
    const begun = stage.clock.now();
    expect(arrival?.copyUntil).toBe(begun + HOUR_MS);
    const heldUntil = async () => {
      expect(await stage.library.hold(await files.found(id))).toBe(true);
      return (await files.found(id)).arrival?.copyUntil;
    };
    stage.clock.advance(HOUR_MS / 2);
    expect(await heldUntil()).toBe(begun + HOUR_MS);
    stage.clock.advance(1);
    expect(await heldUntil()).toBe(begun + (3 * HOUR_MS) / 2 + 1);
    stage.clock.advance(HOUR_MS);
    await dropOldMedia(stage);
    const last = await files.found(id);
    expect(await files.read(last)).toEqual(BYTES);
    stage.clock.advance(1);
    await dropOldMedia(stage);
    expect((await files.found(id)).objectId).toBe('');
    expect(readdirSync(account)).toEqual([]);
    expect(await stage.library.hold(last)).toBe(false);
  });

  it('notes a file of whatever size its sender claims, for thirty days, under its own type and name', async () => {
    const { stage } = await start();
    const claimed = async (id: string, size: number) => {
      const file = { ref: { kind: 'image', token: 't' }, mimetype: 'image/png', size } as const;
      await stage.library.note({ accountId: 'ada', phone: null }, { id, slotId: 'slot', file });
      return (await stage.library.find('ada', id))?.size;
    };
    expect(await claimed('med_1', -1)).toBe(0);
    expect(await claimed('med_2', 1.9)).toBe(1);
    expect(await claimed('med_3', Number.MAX_VALUE)).toBe(Number.MAX_SAFE_INTEGER);
    expect(await stage.library.find('ada', 'med_2')).toMatchObject({
      mimetype: 'image/png',
      fileName: '',
      sha256: '',
      objectId: '',
      expiresAt: stage.clock.now() + 30 * 24 * HOUR_MS,
    });
  });

  it('finds a file of its account alone, until its time is over, and one that is forgotten no more', async () => {
    const { stage, keep } = await start();
    const { id } = await keep();
    expect(await stage.library.find('eve', id)).toBeUndefined();
    expect(await stage.library.findNeeded('eve', id)).toBeUndefined();
    const media = await stage.library.findInAnyAccount(id);
    expect(media).toMatchObject({ id, accountId: 'ada', size: BYTES.length, mimetype: 'image/png' });
    expect(media).not.toHaveProperty('arrival');
    if (media) await stage.library.forget(media);
    expect(await stage.library.find('ada', id)).toBeUndefined();
    expect(await stage.library.findInAnyAccount(id)).toBeUndefined();
    // A message that waits has it all the same.
    expect(await stage.library.findNeeded('ada', id)).toMatchObject({ id });
  });
});
