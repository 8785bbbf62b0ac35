import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseName, databaseNames } from '#testing';
import { dropOldMedia } from '../sweep.ts';
import { type ArrivedFiles, createArrivedFiles, NUMBER } from '../testing/arrived.ts';
import { createStage, type MediaStage } from '../testing/stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe.each<DatabaseName>(databaseNames)('files that came with messages (%s)', (database) => {
  let stage: MediaStage;
  let files: ArrivedFiles;
  beforeAll(async () => {
    stage = await createStage(database);
    files = createArrivedFiles(stage);
  });
  afterAll(() => stage.close());

  async function keepHistory(id: string): Promise<void> {
    const row = { id, slot_id: id, account_id: 'ada', days: 30, media: 1, since: 0, ended_at: null };
    await stage.store.transaction((trx) => trx.insertInto('histories').values(row).execute());
  }

  const filesAtRest = () =>
    readdirSync(stage.kept, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());

  it('have one name, however often they come, and another for every number', async () => {
    const name = await files.arrivals.name(NUMBER, 'message/1');
    expect(name).toEqual({ id: expect.stringMatching(/^med_[0-9a-f]{32}$/) });
    expect(await files.arrivals.name(NUMBER, 'message/1')).toEqual(name);
    expect(await files.arrivals.name({ ...NUMBER, slotId: 'slot_2' }, 'message/1')).not.toEqual(name);
    expect(await files.arrivals.name({ ...NUMBER, accountId: 'eve' }, 'message/1')).not.toEqual(name);
  });

  it('are not here at first, then for an hour since they were last read, and can be fetched again', async () => {
    const media = await files.noted();
    expect(media).toMatchObject({ objectId: '', size: 5, arrival: { slotId: 'slot_1', isKept: false } });
    expect(await stage.library.hold(media)).toBe(false);
    const bytes = randomBytes(70_000);
    const filled = await stage.library.fill(media, Readable.from([bytes]));
    expect((await files.read(await files.found(media.id))).equals(bytes)).toBe(true);
    expect(filled).toMatchObject({ size: 70_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });

    stage.clock.advance(50 * 60_000);
    expect(await stage.library.hold(await files.found(media.id))).toBe(true);
    stage.clock.advance(50 * 60_000);
    await dropOldMedia(stage);
    expect(await stage.library.hold(await files.found(media.id))).toBe(true);
    await stage.pin(media.id, 'slot_9', 1);
    stage.clock.advance(HOUR_MS + 1);
    await dropOldMedia(stage);
    expect(await stage.library.hold(await files.found(media.id))).toBe(true);
    await stage.unqueue('slot_9', 1);
    stage.clock.advance(HOUR_MS + 1);
    await dropOldMedia(stage);
    expect((await files.found(media.id)).objectId).toBe('');
    expect(filesAtRest()).toEqual([]);

    await stage.library.fill(await files.found(media.id), Readable.from([bytes]));
    stage.clock.advance(31 * DAY_MS);
    await dropOldMedia(stage);
    expect(await stage.library.find('ada', media.id)).toBeUndefined();
    expect(filesAtRest()).toEqual([]);
  });

  it('are kept with their message while its history is on, and as long as it', async () => {
    await keepHistory('hist_1');
    const bytes = randomBytes(1_000);
    const media = await files.noted('hist_1', bytes);
    expect(media.arrival).toEqual({ slotId: 'slot_1', isKept: true, copyUntil: null });
    stage.clock.advance(3_000 * DAY_MS);
    await dropOldMedia(stage);
    expect((await files.read(await files.found(media.id))).equals(bytes)).toBe(true);
    await stage.store.transaction((trx) =>
      trx.updateTable('media').set({ expires_at: 0 }).where('id', '=', media.id).execute(),
    );
    expect(await stage.library.find('ada', media.id)).toBeUndefined();
    await dropOldMedia(stage);
    expect(filesAtRest()).toEqual([]);

    const late = await files.noted('hist_that_is_off', bytes);
    expect(late).toMatchObject({ objectId: '', arrival: { isKept: false } });
  });

  it('whose message is deleted while they are on their way are not kept', async () => {
    await keepHistory('hist_2');
    const media = await files.noted('hist_2');
    await stage.store.transaction((trx) =>
      trx.updateTable('media').set({ expires_at: 0 }).where('id', '=', media.id).execute(),
    );
    await expect(stage.library.fill(media, Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
      code: 'media_not_found',
    });
    const { objects } = await stage.store.read
      .selectFrom('media_objects')
      .select(({ fn }) => fn.countAll().as('objects'))
      .executeTakeFirstOrThrow();
    expect(Number(objects)).toBe(0);
  });
});
