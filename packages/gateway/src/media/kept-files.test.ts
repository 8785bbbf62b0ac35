import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { MEDIA_ACCOUNT_MAX_BYTES, OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSystemClock } from '#kernel';
import { migrations, openStore } from '#platform/store';
import { databaseNames, untilLockWaiter } from '#testing';
import { createFolderStore } from './blobs/stores.ts';
import { dropOldMedia, dropOrphans } from './sweep.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

const DAY_MS = 86_400_000;
/** Of one file on its way, with what all the tags add up to. */
const MEMORY_BYTES = 512 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.each(databaseNames)('what is kept (%s)', (database) => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage(database);
  });
  afterAll(() => stage.close());

  const keep = (bytes: Uint8Array, accountId = 'ada') =>
    stage.library.keep({ accountId, phone: null }, stage.file(bytes));
  const objects = (accountId = 'ada'): string[] => {
    const folder = path.join(stage.kept, accountId);
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('lies sealed under the account’s own key, and nothing is left where it came in', async () => {
    const words = Buffer.from('the words of a text '.repeat(10_000));
    const { objectId } = await keep(words);
    const onDisk = readFileSync(path.join(stage.kept, 'ada', objectId));
    expect(onDisk.includes(words.subarray(0, 20))).toBe(false);
    expect(readdirSync(stage.incoming)).toEqual([]);
    const rows = JSON.stringify(await stage.store.read.selectFrom('media').selectAll().execute());
    expect(rows).not.toContain(sha256(words));
  });

  it('is not there when it was cut off on its way', async () => {
    const before = objects();
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield randomBytes(300_000);
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    const file = { ...stage.file(Buffer.alloc(0)), bytes: cut() };
    await expect(stage.library.keep({ accountId: 'ada', phone: null }, file)).rejects.toThrow();
    expect(objects()).toEqual(before);
    expect(readdirSync(stage.incoming)).toEqual([]);
  });

  it('goes when its time is over, and its bytes with the last that needs them', async () => {
    const bytes = randomBytes(1_000);
    const first = await keep(bytes, 'bob');
    stage.clock.advance(DAY_MS);
    const second = await keep(bytes, 'bob');
    expect(second.objectId).toBe(first.objectId);
    stage.clock.advance(29 * DAY_MS);
    expect(await stage.library.find('bob', first.id)).toBeUndefined();
    stage.clock.advance(2 * 3_600_000);
    await dropOldMedia(stage);
    expect(await stage.library.find('bob', second.id)).toBeDefined();
    expect(objects('bob')).toEqual([first.objectId]);
    stage.clock.advance(DAY_MS);
    await dropOldMedia(stage);
    expect(objects('bob')).toEqual([]);
    expect(
      await stage.store.read
        .selectFrom('media_objects')
        .where('account_id', '=', 'bob')
        .selectAll()
        .execute(),
    ).toEqual([]);
  });

  it('stays for a message that waits in the outbox', async () => {
    const { id, objectId } = await keep(randomBytes(1_000), 'cora');
    await stage.pin(id, 'slot_1', 7);
    stage.clock.advance(60 * DAY_MS);
    await dropOldMedia(stage);
    expect(objects('cora')).toEqual([objectId]);
    // What still waits is another message of this number, and one of another number at the same place.
    await stage.queue('slot_1', 8);
    await stage.queue('slot_2', 7);
    await stage.unqueue('slot_1', 7);
    await dropOldMedia(stage);
    expect(objects('cora')).toEqual([]);
  });

  it('stays when the same file comes in the moment in which the last of it goes', async () => {
    const { id, objectId } = await keep(randomBytes(1_000), 'gina');
    const other = await openStore({
      url: stage.url,
      commandModules: [],
      migrations,
      clock: createSystemClock(),
    });
    const row = await other.read
      .selectFrom('media')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    stage.clock.advance(60 * DAY_MS);
    const expires_at = stage.clock.now() + DAY_MS;
    let dropping: Promise<void> | undefined;
    await other.transaction(async (trx) => {
      await trx
        .updateTable('media_objects')
        .set(({ eb }) => ({ uses: eb('uses', '+', 1) }))
        .where('id', '=', objectId)
        .execute();
      await trx
        .insertInto('media')
        .values({ ...row, id: `${id}_again`, expires_at })
        .execute();
      dropping = dropOldMedia(stage);
      await untilLockWaiter(other);
    });
    await dropping;
    await other.close();
    expect(await stage.library.find('gina', id)).toBeUndefined();
    expect(objects('gina')).toEqual([objectId]);
    const left = stage.store.read.selectFrom('media_objects').select('id').where('id', '=', objectId);
    expect(await left.execute()).toHaveLength(1);
  });

  it('is stored anew when its bytes were lost', async () => {
    const bytes = randomBytes(1_000);
    const { objectId } = await keep(bytes, 'dora');
    await stage.blobs.delete(`dora/${objectId}`);
    const again = await keep(bytes, 'dora');
    // The row stands for the same file; its bytes are there again.
    const read = await buffer(await stage.library.read(again, { from: 0, to: 1_000 }));
    expect(read.equals(bytes)).toBe(true);
  });

  it('is swept without a reference, but not while one may still be written', async () => {
    const { objectId } = await keep(randomBytes(1_000), 'emil');
    const folder = path.join(stage.kept, 'emil');
    for (const name of ['fresh', 'old', 'old.part']) writeFileSync(path.join(folder, name), 'x');
    const long = Date.now() / 1_000 - 2 * 86_400;
    for (const name of ['old', 'old.part', objectId]) utimesSync(path.join(folder, name), long, long);
    await dropOrphans({ ...stage, machineClock: createSystemClock() });
    expect(objects('emil').sort()).toEqual([objectId, 'fresh'].sort());
  });

  it('has a limit for each account', async () => {
    const row = { uses: 1, made_at: 0, fingerprint: randomBytes(32), size: MEDIA_ACCOUNT_MAX_BYTES };
    await stage.store.transaction((trx) =>
      trx
        .insertInto('media_objects')
        .values({ id: 'large', account_id: 'fritz', ...row })
        .execute(),
    );
    await expect(keep(randomBytes(10), 'fritz')).rejects.toMatchObject({ code: 'media_storage_exhausted' });
    expect(objects('fritz')).toEqual([]);
  });

  it('is never held in memory: what came is on the disk before more is taken, and what was read is given before more is read', async () => {
    // The largest that may be; the database has no part in it, so that once is enough.
    const size = database === 'SQLite' ? OUTBOUND_MEDIA_MAX_BYTES : 16 * MEMORY_BYTES;
    const chunk = randomBytes(64 * 1024);
    const onDisk = (): number => {
      const [name = ''] = readdirSync(stage.incoming);
      return name === '' ? 0 : statSync(path.join(stage.incoming, name)).size;
    };
    let mostHeld = 0;
    async function* large(): AsyncGenerator<Uint8Array> {
      for (let taken = 0; taken < size; taken += chunk.length) {
        mostHeld = Math.max(mostHeld, taken - onDisk());
        yield chunk;
      }
    }
    const file = { ...stage.file(Buffer.alloc(0)), bytes: large() };
    const media = await stage.library.keep({ accountId: 'gerd', phone: null }, file);
    expect(media.size).toBe(size);
    expect(mostHeld).toBeLessThan(MEMORY_BYTES);

    let read = 0;
    let given = 0;
    mostHeld = 0;
    const { read: readBlob } = stage.blobs;
    vi.spyOn(stage.blobs, 'read').mockImplementation(async (...asked) => {
      const bytes = await readBlob(...asked);
      return (async function* () {
        for await (const each of bytes) {
          read += each.length;
          yield each;
        }
      })();
    });
    for await (const piece of await stage.library.read(media, { from: 0, to: media.size })) {
      mostHeld = Math.max(mostHeld, read - given);
      given += piece.length;
    }
    expect(given).toBe(size);
    expect(mostHeld).toBeLessThan(MEMORY_BYTES);
    vi.restoreAllMocks();
  });
});

it('a folder takes a file over whole, and lists what it has', async () => {
  const stage = await createStage('SQLite');
  const folder = createFolderStore(stage.kept);
  const file = path.join(stage.incoming, 'x');
  writeFileSync(file, 'sealed');
  await folder.put('a/b', { path: file, size: 6 });
  expect(existsSync(file)).toBe(false);
  const names: string[] = [];
  for await (const { name } of folder.list()) names.push(name);
  expect(names).toEqual(['a/b']);
  await folder.delete('a/b');
  await folder.delete('a/b');
  await expect(folder.read('a/b', { from: 0, to: 1 })).rejects.toMatchObject({ code: 'missing' });
  await stage.close();
});
