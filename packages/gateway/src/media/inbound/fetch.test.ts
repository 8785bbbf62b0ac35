import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiError, createSteppedClock } from '#kernel';
import { NetworkError } from '#network';
import { type DatabaseName, databaseNames } from '#testing';
import { type ArrivedFiles, createArrivedFiles, NUMBER } from '../testing/arrived.ts';
import { createStage, type MediaStage } from '../testing/stage.ts';
import { createFetchAction, createObtainer } from './fetch.ts';

describe.each<DatabaseName>(databaseNames)('files of messages that are asked for (%s)', (database) => {
  let stage: MediaStage;
  let files: ArrivedFiles;
  beforeAll(async () => {
    stage = await createStage(database);
    files = createArrivedFiles(stage);
  });
  afterAll(() => stage.close());

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
      getHost: () =>
        ({
          async run(_action: unknown, args: { mediaId: string }) {
            if (!isOnline) throw apiError('session_not_hosted');
            return action.run(hosted as never, args);
          },
        }) as never,
      action,
      ownedNumber: (accountId, phone) => (accountId === 'ada' && phone === NUMBER.phone ? NUMBER : undefined),
      machineClock: clock,
    });
    return { obtain, clock, goOffline: () => (isOnline = false) };
  }

  it('are fetched once, however many ask', async () => {
    const media = await files.noted();
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
    const fetched = await asked;
    for (const file of fetched) expect(String(await files.read(file))).toBe('a file');
    expect(streams).toBe(1);
    expect(String(await files.read(await obtain(await files.found(media.id))))).toBe('a file');
    expect(streams).toBe(1);
  });

  it.each([
    [new NetworkError('not_found', 'gone'), 'media_gone', 410],
    [new NetworkError('permanent', 'not what was sealed', { failure: 'media' }), 'media_damaged', 502],
  ] as const)('that cannot be fetched are answered so, after one try: %s', async (failure, code, status) => {
    const media = await files.noted();
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

  /** Lets time pass in steps of what an action may take, until the promise settles. */
  async function untilOver(clock: { advance(ms: number): void }, promise: Promise<unknown>) {
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise(setImmediate);
      clock.advance(500);
    }
    await over;
  }

  it('that fail after the action has stopped waiting are asked for once, and fail for the one who waits', async () => {
    const media = await files.noted();
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    let streams = 0;
    const { obtain, clock } = desk(() => {
      streams += 1;
      begun.resolve();
      return gate.promise;
    });
    const asked = expect(obtain(media)).rejects.toMatchObject({ code: 'media_gone' });
    await begun.promise;
    await new Promise(setImmediate);
    // Longer than the action waits: the caller is asleep when the file fails.
    clock.advance(500);
    await new Promise(setImmediate);
    gate.reject(new NetworkError('not_found', 'gone'));
    await new Promise(setImmediate);
    clock.advance(500);
    await asked;
    expect(streams).toBe(1);
  });

  it('that failed after everyone has gone are fetched anew half a minute later', async () => {
    const media = await files.noted();
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    let streams = 0;
    const { obtain, clock } = desk(async () => {
      streams += 1;
      begun.resolve();
      return streams === 1 ? gate.promise : Readable.from([Buffer.from('a file')]);
    });
    const caller = new AbortController();
    const left = expect(obtain(media, caller.signal)).rejects.toMatchObject({ code: 'shutting_down' });
    await begun.promise;
    caller.abort();
    await untilOver(clock, left);
    gate.reject(new NetworkError('not_found', 'gone'));
    await new Promise(setImmediate);
    clock.advance(30_000);
    await untilOver(clock, obtain(media));
    expect(streams).toBe(2);
  });

  it('that turn out at their end to be something else leave nothing behind', async () => {
    const media = await files.noted();
    const { obtain } = desk(async () =>
      Readable.from(
        (function* () {
          yield randomBytes(100_000);
          throw new NetworkError('permanent', 'not what was sealed', { failure: 'media' });
        })(),
      ),
    );
    await expect(obtain(media)).rejects.toMatchObject({ code: 'media_damaged' });
    expect((await files.found(media.id)).objectId).toBe('');
    expect(readdirSync(stage.incoming)).toEqual([]);
  });

  it('of a number that is offline wait for it, and those of one that is gone do not', async () => {
    const { obtain, goOffline } = desk(() => Promise.reject(new Error('not requested')));
    goOffline();
    const media = await files.noted();
    await expect(obtain(media)).rejects.toMatchObject({
      code: 'media_offline',
      status: 503,
      retryAfterSeconds: 30,
    });
    await expect(obtain({ ...media, phone: '15550009999' })).rejects.toMatchObject({ code: 'media_gone' });
    await stage.library.fill(media, Readable.from([Buffer.from('at hand')]));
    expect(String(await files.read(await obtain(await files.found(media.id))))).toBe('at hand');
  });

  it('wait for their turn while the number has too much to do, and pass other refusals on', async () => {
    const clock = createSteppedClock();
    const media = await files.noted();
    const refusals = [apiError('too_many_actions'), apiError('too_many_actions')];
    let calls = 0;
    const obtain = createObtainer({
      library: stage.library,
      getHost: () =>
        ({
          async run() {
            calls += 1;
            const refusal = refusals.shift();
            if (refusal) throw refusal;
            return 'here';
          },
        }) as never,
      action: createFetchAction({ library: stage.library, machineClock: clock }),
      ownedNumber: () => NUMBER,
      machineClock: clock,
    });
    const asked = obtain(media);
    await untilOver(clock, asked);
    expect((await asked).id).toBe(media.id);
    expect(calls).toBe(3);
    refusals.push(apiError('key_restricted'));
    await expect(obtain(media)).rejects.toMatchObject({ code: 'key_restricted' });
  });

  it('are refused to the action of another number, and where the network has nothing to give', async () => {
    const media = await files.noted();
    const action = createFetchAction({ library: stage.library, machineClock: createSteppedClock() });
    const run = (number: object, mediaId: string) =>
      action.run({ number, session: {} } as never, { mediaId } as never);
    await expect(run({ ...NUMBER, slotId: 'another' }, media.id)).rejects.toMatchObject({
      code: 'media_not_found',
    });
    await expect(run(NUMBER, 'none')).rejects.toMatchObject({ code: 'media_not_found' });
    await stage.library.fill(media, Readable.from([Buffer.from('at hand')]));
    expect(await run(NUMBER, media.id)).toBe('here');
  });
});
