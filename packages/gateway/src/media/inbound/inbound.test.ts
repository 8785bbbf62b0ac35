import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock, fault } from '#kernel';
import { NetworkError } from '#network';
import { type DatabaseName, databaseNames } from '#testing';
import type { Media } from '../library.ts';
import { createMediaLinks } from '../links.ts';
import { dropOldMedia } from '../sweep.ts';
import { createStage, type MediaStage } from '../testing/stage.ts';
import { createArrivals } from './arrivals.ts';
import { createFetchAction } from './fetch.ts';
import { createObtainer } from './obtain.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ADA = '15550002001@s.whatsapp.net';
const NUMBER = { accountId: 'ada', slotId: 'slot_1', phone: '15550001001', plan: 'max' } as const;
const FILE = { ref: { kind: 'image', token: 't' }, mimetype: 'image/png', size: 5 } as const;

describe.each<DatabaseName>(databaseNames)('files that came with messages (%s)', (database) => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage(database);
  });
  afterAll(() => stage.close());

  const links = () => createMediaLinks({ ...stage, publicUrl: () => undefined });
  const arrivals = () => createArrivals({ ...stage, links: links() });

  async function keepHistory(id: string): Promise<void> {
    const row = { id, slot_id: id, account_id: 'ada', days: 30, media: 1, since: 0, ended_at: null };
    await stage.store.transaction((trx) => trx.insertInto('histories').values(row).execute());
  }

  let events = 0;
  async function noted(keptIn?: string, bytes?: Uint8Array): Promise<Media> {
    const event = `message/${ADA}/M${++events}`;
    const { id } = await arrivals().name(NUMBER, event);
    const keptWith =
      keptIn === undefined ? {} : { keptWith: { historyId: keptIn, chat: ADA, messageId: event } };
    const arrived = { id, file: FILE, ...keptWith, ...(bytes && { bytes }) };
    await arrivals().note(NUMBER, arrived);
    await arrivals().note(NUMBER, arrived);
    return found(id);
  }

  async function found(id: string): Promise<Media> {
    const media = await stage.library.find('ada', id);
    if (!media) throw new Error(`there is no ${id}`);
    return media;
  }

  const read = async (media: Media) => buffer(await stage.library.read(media, { from: 0, to: media.size }));
  const filesAtRest = () =>
    readdirSync(stage.kept, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());

  it('have one name, however often they come, and another for every number', async () => {
    const name = await arrivals().name(NUMBER, 'message/1');
    expect(name).toEqual({ id: expect.stringMatching(/^med_[0-9a-f]{32}$/) });
    expect(await arrivals().name(NUMBER, 'message/1')).toEqual(name);
    expect(await arrivals().name({ ...NUMBER, slotId: 'slot_2' }, 'message/1')).not.toEqual(name);
    expect(await arrivals().name({ ...NUMBER, accountId: 'eve' }, 'message/1')).not.toEqual(name);
  });

  it('are not here at first, then for an hour since they were last read, and can be fetched again', async () => {
    const media = await noted();
    expect(media).toMatchObject({ objectId: '', size: 5, arrival: { slotId: 'slot_1', isKept: false } });
    expect(await stage.library.hold(media)).toBe(false);
    const bytes = randomBytes(70_000);
    const filled = await stage.library.fill(media, Readable.from([bytes]));
    expect((await read(await found(media.id))).equals(bytes)).toBe(true);
    expect(filled).toMatchObject({ size: 70_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });

    stage.clock.advance(50 * 60_000);
    expect(await stage.library.hold(await found(media.id))).toBe(true);
    stage.clock.advance(50 * 60_000);
    await dropOldMedia(stage);
    expect(await stage.library.hold(await found(media.id))).toBe(true);
    await stage.pin(media.id, 'slot_9', events);
    stage.clock.advance(HOUR_MS + 1);
    await dropOldMedia(stage);
    expect(await stage.library.hold(await found(media.id))).toBe(true);
    await stage.unqueue('slot_9', events);
    stage.clock.advance(HOUR_MS + 1);
    await dropOldMedia(stage);
    expect((await found(media.id)).objectId).toBe('');
    expect(filesAtRest()).toEqual([]);

    await stage.library.fill(await found(media.id), Readable.from([bytes]));
    stage.clock.advance(31 * DAY_MS);
    await dropOldMedia(stage);
    expect(await stage.library.find('ada', media.id)).toBeUndefined();
    expect(filesAtRest()).toEqual([]);
  });

  it('are kept with their message while its history is on, and as long as it', async () => {
    await keepHistory('hist_1');
    const bytes = randomBytes(1_000);
    const media = await noted('hist_1', bytes);
    expect(media.arrival).toEqual({ slotId: 'slot_1', isKept: true, copyUntil: null });
    stage.clock.advance(3_000 * DAY_MS);
    await dropOldMedia(stage);
    expect((await read(await found(media.id))).equals(bytes)).toBe(true);
    await stage.store.transaction((trx) =>
      trx.updateTable('media').set({ expires_at: 0 }).where('id', '=', media.id).execute(),
    );
    expect(await stage.library.find('ada', media.id)).toBeUndefined();
    await dropOldMedia(stage);
    expect(filesAtRest()).toEqual([]);

    const late = await noted('hist_that_is_off', bytes);
    expect(late).toMatchObject({ objectId: '', arrival: { isKept: false } });
  });

  it('whose message is deleted while they are on their way are not kept', async () => {
    await keepHistory('hist_2');
    const media = await noted('hist_2');
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

  describe('on demand', () => {
    function desk(stream: (token: string) => Promise<AsyncIterable<Uint8Array>>) {
      const clock = createSteppedClock();
      const action = createFetchAction({ library: stage.library, machineClock: clock });
      const hosted = {
        number: NUMBER,
        sessionId: 's',
        fence: 1,
        session: { stream: ({ token }: { token: string }) => stream(token) },
      };
      let isOnline = true;
      const obtain = createObtainer({
        library: stage.library,
        callSession: (async (_number: unknown, _action: unknown, args: { mediaId: string }) => {
          if (!isOnline) throw fault('session_not_hosted');
          return action.run(hosted as never, args);
        }) as never,
        action,
        ownedNumber: (accountId, phone) =>
          accountId === 'ada' && phone === NUMBER.phone ? NUMBER : undefined,
        machineClock: clock,
      });
      return { obtain, clock, goOffline: () => (isOnline = false) };
    }

    it('are fetched once, whoever asks how often', async () => {
      const media = await noted();
      const gate = Promise.withResolvers<void>();
      let streams = 0;
      const { obtain, clock } = desk(async () => {
        streams += 1;
        await gate.promise;
        return Readable.from([Buffer.from('a file')]);
      });
      let isDone = false;
      const asked = Promise.all([obtain(media), obtain(media), obtain(media)]).finally(() => {
        isDone = true;
      });
      // Asked for again and again, for longer than an action may take: the file comes all the same.
      for (let step = 0; !isDone; step++) {
        clock.advance(500);
        if (step === 60) gate.resolve();
        await new Promise(setImmediate);
      }
      const files = await asked;
      for (const file of files) expect(String(await read(file))).toBe('a file');
      expect(streams).toBe(1);
      expect(String(await read(await obtain(await found(media.id))))).toBe('a file');
      expect(streams).toBe(1);
    });

    it.each([
      [new NetworkError('not_found', 'gone'), 'media_gone', 410],
      [new NetworkError('permanent', 'not what was sealed', { failure: 'media' }), 'media_damaged', 502],
    ] as const)('that cannot be had are told so, once: %s', async (failure, code, status) => {
      const media = await noted();
      let streams = 0;
      const { obtain } = desk(async () => {
        streams += 1;
        throw failure;
      });
      await expect(obtain(media)).rejects.toMatchObject({ code, status });
      expect(streams).toBe(1);
      await expect(obtain(media)).rejects.toMatchObject({ code });
      expect(streams).toBe(2);
    });

    it('that turn out at their end to be something else leave nothing behind', async () => {
      const media = await noted();
      const { obtain } = desk(async () =>
        Readable.from(
          (function* () {
            yield randomBytes(100_000);
            throw new NetworkError('permanent', 'not what was sealed', { failure: 'media' });
          })(),
        ),
      );
      await expect(obtain(media)).rejects.toMatchObject({ code: 'media_damaged' });
      expect((await found(media.id)).objectId).toBe('');
      expect(readdirSync(stage.incoming)).toEqual([]);
    });

    it('of a number that is offline wait for it, and those of one that is gone do not', async () => {
      const { obtain, goOffline } = desk(() => Promise.reject(new Error('nobody asks')));
      goOffline();
      const media = await noted();
      await expect(obtain(media)).rejects.toMatchObject({
        code: 'media_offline',
        status: 503,
        retryAfterSeconds: 30,
      });
      await expect(obtain({ ...media, phone: '15550009999' })).rejects.toMatchObject({ code: 'media_gone' });
      await stage.library.fill(media, Readable.from([Buffer.from('at hand')]));
      expect(String(await read(await obtain(await found(media.id))))).toBe('at hand');
    });
  });

  describe('by a link', () => {
    const linkOf = (url: string | undefined) => {
      const { searchParams, pathname } = new URL(url ?? '');
      const signature = searchParams.get('signature') ?? '';
      return { pathname, expires: Number(searchParams.get('expires')), signature };
    };

    it('are opened until its end, each by its own', async () => {
      const [media, other] = [await noted(), await noted()];
      const { check, urlOf } = links();
      const { pathname, ...link } = linkOf(await urlOf('ada', media.id, 'https://gateway.example'));
      expect(pathname).toBe(`/v1/media/${media.id}/file`);
      expect(link.expires).toBe(Math.floor(stage.clock.now() / 1_000) + 72 * 3_600);
      expect(await check(media, link)).toBe(media);
      const invalid = { code: 'media_link_invalid' };
      await expect(check(other, link)).rejects.toMatchObject(invalid);
      await expect(check({ ...media, accountId: 'eve' }, link)).rejects.toMatchObject(invalid);
      await expect(check(undefined, link)).rejects.toMatchObject(invalid);
      await expect(check(media, { ...link, expires: link.expires + 1 })).rejects.toMatchObject(invalid);
      for (const signature of ['', 'x', link.signature.slice(1), `${link.signature}A`])
        await expect(check(media, { ...link, signature })).rejects.toMatchObject(invalid);
      stage.clock.advance(72 * HOUR_MS);
      await expect(check(media, link)).rejects.toMatchObject({ code: 'media_link_expired' });
    });

    it('are named by the address that is known, and by none where none is', async () => {
      const known = createMediaLinks({ ...stage, publicUrl: () => 'https://known.example' });
      expect(await known.urlOf('ada', 'med_1', 'http://asked.example')).toContain(
        'https://known.example/v1/media/med_1/file?',
      );
      expect(await links().urlOf('ada', 'med_1', 'http://asked.example')).toContain(
        'http://asked.example/v1/',
      );
      expect(await links().urlOf('ada', 'med_1')).toBeUndefined();
    });
  });
});
