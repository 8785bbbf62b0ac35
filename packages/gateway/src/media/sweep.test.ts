import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSteppedClock, createSystemClock } from '#kernel';
import type { MediaRow } from '#platform/store';
import { migrations, openStore } from '#platform/store';
import { databaseNames, untilLockWaiter } from '#testing';
import { dropOldMedia, dropOrphans, startMediaRetention, startOrphanSweep } from './sweep.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** One more than a step of the sweep takes. */
const MANY = 201;

describe.each(databaseNames)('the sweep of files (%s)', (database) => {
  let stage: MediaStage;
  beforeEach(async () => {
    stage = await createStage(database);
  });
  afterEach(() => stage.close());

  const keep = (text: string) =>
    stage.library.keep({ accountId: 'ada', phone: null }, stage.file(Buffer.from(text)));
  const stored = (): string[] => readdirSync(path.join(stage.kept, 'ada'));

  /** Rows of files without bytes, whose time ends at `expires_at`. */
  async function insertRows(expires_at: number): Promise<MediaRow[]> {
    const rows = Array.from({ length: MANY }, (_, index) => ({
      id: `med_${index}`,
      account_id: 'ada',
      phone: null,
      object_id: '',
      size: 1,
      details: new Uint8Array(1),
      made_at: 0,
      expires_at,
    }));
    await stage.store.transaction((trx) => trx.insertInto('media').values(rows).execute());
    return rows;
  }

  function writeOrphans(count: number): number {
    const folder = path.join(stage.kept, 'ada');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < count; index++) writeFileSync(path.join(folder, `orphan_${index}`), 'x');
    return Math.max(...stored().map((name) => statSync(path.join(folder, name)).mtimeMs));
  }

  it('drops a file an hour after its time, and none before', async () => {
    const { expiresAt } = await keep('bytes');
    stage.clock.advance(expiresAt + HOUR_MS - stage.clock.now());
    await dropOldMedia(stage);
    expect(stored()).toHaveLength(1);
    stage.clock.advance(1);
    await dropOldMedia(stage);
    expect(stored()).toEqual([]);
  });

  it('drops everything that is due at once, and stops between two steps when the process ends', async () => {
    await insertRows(0);
    const left = async () => (await stage.store.read.selectFrom('media').select('id').execute()).length;
    await dropOldMedia(stage, AbortSignal.abort());
    expect(await left()).toBe(MANY);
    await dropOldMedia(stage);
    expect(await left()).toBe(0);
  });

  it('drops every old copy of a file that came with a message, and stops like that as well', async () => {
    const rows = await insertRows(stage.clock.now() + DAY_MS);
    const copy_until = stage.clock.now() - 1;
    const arrivals = rows.map(({ id }) => ({
      media_id: id,
      slot_id: 'slot',
      history_id: null,
      chat: null,
      message_id: null,
      copy_until,
    }));
    await stage.store.transaction((trx) => trx.insertInto('media_arrivals').values(arrivals).execute());
    const copies = async () => {
      const found = stage.store.read.selectFrom('media_arrivals').select('media_id');
      return (await found.where('copy_until', 'is not', null).execute()).length;
    };
    await dropOldMedia(stage, AbortSignal.abort());
    expect(await copies()).toBe(MANY);
    await dropOldMedia(stage);
    expect(await copies()).toBe(0);
  });

  it('drops a file once when two processes sweep at the same time', async () => {
    const { objectId } = await keep('bytes');
    stage.clock.advance(60 * DAY_MS);
    const other = await openStore({
      url: stage.url,
      commandModules: [],
      migrations,
      clock: createSystemClock(),
    });
    const deleted: string[] = [];
    const blobs = {
      ...stage.blobs,
      async delete(name: string) {
        deleted.push(name);
        await stage.blobs.delete(name);
      },
    };
    let first: Promise<void> | undefined;
    await other.transaction(async (trx) => {
      // The other process is about to drop the same object.
      await trx.deleteFrom('media_objects').where('id', '=', objectId).execute();
      first = dropOldMedia({ ...stage, blobs });
      await untilLockWaiter(other);
    });
    await first;
    await other.close();
    expect(deleted).toEqual([]);
    expect(await stage.store.read.selectFrom('media').select('id').execute()).toEqual([]);
  });

  it('keeps an unknown file for a day, and drops it after that', async () => {
    const madeAt = writeOrphans(1);
    await dropOrphans({ ...stage, machineClock: { now: () => madeAt + DAY_MS } });
    expect(stored()).toHaveLength(1);
    await dropOrphans({ ...stage, machineClock: { now: () => madeAt + DAY_MS + 1 } });
    expect(stored()).toEqual([]);
  });

  it('drops all unknown files and no known one, and none when the process ends', async () => {
    const { objectId } = await keep('bytes');
    const machineClock = { now: () => Date.now() + 2 * DAY_MS };
    writeOrphans(MANY);
    await dropOrphans({ ...stage, machineClock }, AbortSignal.abort());
    expect(stored()).toHaveLength(MANY + 1);
    await dropOrphans({ ...stage, machineClock });
    expect(stored()).toEqual([objectId]);
  });

  it('runs at once for expired files and after an hour for unknown ones, and logs what fails', async () => {
    const clock = createSteppedClock();
    const errors: string[] = [];
    const log = {
      debug() {},
      error: (_details: object, message: string) => void errors.push(message),
    };
    await insertRows(0);
    const retention = startMediaRetention({ ...stage, clock, machineClock: clock, log });
    await vi.waitFor(async () =>
      expect(await stage.store.read.selectFrom('media').select('id').execute()).toEqual([]),
    );
    await retention.stop();

    writeOrphans(1);
    let lists = 0;
    const blobs = {
      ...stage.blobs,
      list() {
        lists += 1;
        if (lists === 1) throw new Error('out of reach');
        return stage.blobs.list();
      },
    };
    const machineClock = { now: () => Date.now() + 2 * DAY_MS };
    const sweep = startOrphanSweep({ ...stage, blobs, clock, machineClock, log });
    clock.advance(HOUR_MS - 1);
    await new Promise(setImmediate);
    expect(lists).toBe(0);
    clock.advance(1);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    await vi.waitFor(() => {
      clock.advance(HOUR_MS);
      expect(stored()).toEqual([]);
    });
    await sweep.stop();
  });
});
