import type { EventKind } from '@parley/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { type DatabaseName, describeOnEachDatabase } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { createPayloadReader, entriesBefore, type LogFilter, type Position } from './event-log-queries.ts';
import { createFeed, type Feed, PAGE_BYTES, parseCursor, START_OF_LOG } from './feed.ts';
import { createLiveFeed, type LiveFeed } from './live.ts';
import { READERS_TOPIC } from './log.ts';
import { createEventStreams, type EventStreams } from './streams.ts';
import { HEALTH_EVENT, textEvent } from './testing/index.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const PATIENCE = { timeout: 15_000, interval: 20 };

describeOnEachDatabase('the event log', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }, database: DatabaseName): void {
  let harness: TestHarness;
  let feed: Feed;
  let live: LiveFeed;
  let number: OwnedNumber;
  let all: LogFilter;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    const readPayloads = createPayloadReader({ ...harness, log: { error: () => {} } });
    feed = createFeed({ ...harness, readPayloads });
    live = createLiveFeed({ ...harness, feed });
    number = await harness.newNumber();
    all = { accountId: number.accountId, slotId: undefined, kind: undefined, extensions: [] };
  });

  const emit = (id: string, text?: string, of = number) =>
    harness.log.emit([{ ...of, key: id, event: textEvent(id, text) }]);
  const idsIn = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId);
  const read = async (filter: LogFilter, limit = 100) =>
    (await feed.page(filter, START_OF_LOG, limit)).events;
  /** PostgreSQL shows an event once older transactions are over, also those of other tests. */
  const shown = (count: number) =>
    vi.waitFor(async () => expect(await read(all)).toHaveLength(count), PATIENCE);

  /** Lets so much time pass again and again until it is there. */
  async function asTimePasses<T>(stepMs: number, work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    void work.then(over, over);
    await vi.waitFor(
      () => {
        harness.clock.advance(stepMs);
        expect(isOver).toBe(true);
      },
      { ...PATIENCE, interval: 5 },
    );
    return work;
  }

  test('gives full payloads back, oldest first, page by page', async () => {
    for (const id of ['A', 'B', 'C']) await emit(id, `text of ${id}`);
    await shown(3);
    const [first, second] = await read(all, 2);
    expect(idsIn([first, second].flatMap((each) => each ?? []))).toEqual(['A', 'B']);
    expect(JSON.parse(first?.body ?? '')).toEqual(textEvent('A', 'text of A'));
    const { events: rest } = await feed.page(all, parseCursor(second?.cursor ?? ''), 10);
    expect(idsIn(rest)).toEqual(['C']);
    expect(await feed.end(number.accountId)).toEqual(rest[0]?.position);
  });

  test('is read backwards too, without what was written', async () => {
    const stranger = await harness.newNumber();
    for (const id of ['A', 'B', 'C']) await emit(id, `text of ${id}`);
    await emit('S', 'x', stranger);
    await shown(3);
    const before = (position: Position | undefined, filter = all, limit = 2) =>
      entriesBefore(testStore.store, filter, position, limit);
    const [third, second] = await before(undefined);
    expect([third?.event_id, second?.event_id]).toEqual(['C', 'B']);
    expect(third).toMatchObject({ slot_id: number.slotId, kind: 'message' });
    expect(JSON.parse(third?.body ?? '')).toMatchObject({ text: '[redacted: 9 bytes]' });
    const rest = await before(second);
    expect(rest.map(({ event_id }) => event_id)).toEqual(['A']);
    expect(await before(undefined, { ...all, kind: 'call' })).toEqual([]);
    expect(await before(undefined, { ...all, slotId: stranger.slotId })).toEqual([]);
  });

  test('keeps accounts, numbers and kinds apart', async () => {
    const stranger = await harness.newNumber();
    await emit('A');
    await emit('S', 'x', stranger);
    const event = { kind: 'presence', session_id: 'x', contact_jid: 'y', online: true } as const;
    await harness.log.emit([{ ...number, key: 'p', event }]);
    await shown(2);
    expect(idsIn(await read({ ...all, kind: 'message' }))).toEqual(['A']);
    expect(await read({ ...all, slotId: stranger.slotId })).toEqual([]);
  });

  test('shows what goes beyond the specification to those who ask for it', async () => {
    await emit('A');
    await harness.log.emit([
      { ...number, key: 'h', event: HEALTH_EVENT },
      { ...number, key: 'B', event: textEvent('B'), extension: 'health' },
    ]);
    await shown(1);
    const asking: LogFilter = { ...all, extensions: ['health'] };
    await vi.waitFor(async () => expect(await read(asking)).toHaveLength(3), PATIENCE);
    expect(idsIn(await read(all))).toEqual(['A']);
    expect(idsIn(await read({ ...asking, kind: 'message' }))).toEqual(['A', 'B']);
    expect(idsIn(await read({ ...all, kind: 'health' }))).toEqual([]);
  });

  test('does not put more into a page than fits', async () => {
    const large = 'x'.repeat(PAGE_BYTES / 2 + 1);
    for (const id of ['A', 'B', 'C']) await emit(id, large);
    await shown(1);
    expect(idsIn(await read(all))).toEqual(['A']);
    await emit('LARGER', 'x'.repeat(PAGE_BYTES + 1));
    await emit('D');
    // What is not wanted takes no room.
    await vi.waitFor(async () => {
      const wanted = await feed.page(all, START_OF_LOG, 100, ({ event_id }) => event_id === 'D');
      expect(idsIn(wanted.events)).toEqual(['D']);
    }, PATIENCE);
    const pages: string[][] = [];
    for (let after = START_OF_LOG; ; ) {
      const { events, upTo } = await feed.page(all, after, 100);
      if (upTo === after) break;
      pages.push(idsIn(events));
      after = upTo;
    }
    expect(pages.flat()).toHaveLength(5);
    expect(pages).toEqual([['A'], ['B'], ['C'], ['LARGER'], ['D']]);
  });

  test.each(['', 'x', '1', '1-', 'A-B', '1-2-3', "1-'"])('%o is no cursor', (text) => {
    expect(() => parseCursor(text)).toThrow(expect.objectContaining({ code: 'cursor_invalid' }));
  });

  test.skipIf(database === 'SQLite')('shows nothing that could still get something before it', async () => {
    const slow = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const transaction = testStore.store.transaction(async (trx) => {
      await trx
        .updateTable('devices')
        .set({ status: 'active' })
        .where('slot_id', '=', number.slotId)
        .execute();
      begun.resolve();
      await slow.promise;
    });
    await begun.promise;
    await emit('A');
    expect(await read(all)).toEqual([]);
    slow.resolve();
    await transaction;
    await shown(1);
  });

  describe('waiting for what comes next', () => {
    const wait = async (waitMs: number, signal = new AbortController().signal) => {
      const follower = live.follow(all, START_OF_LOG);
      try {
        return await follower.next({ limit: 10, waitMs, signal });
      } finally {
        follower.leave();
      }
    };

    test('wakes up when something is announced', async () => {
      let found: string[] | undefined;
      void wait(25 * SECOND).then((entries) => {
        found = idsIn(entries);
      });
      let emitted = 0;
      // Repeated: a transaction of another test on the same server may still hide the first; the clock stands still.
      await vi.waitFor(async () => {
        await emit(`A${emitted++}`);
        expect(found?.[0]).toBe('A0');
      }, PATIENCE);
    });

    test('finds events that were never announced', async () => {
      // An hour: a transaction of another test on the same server may hide it for a while, and the clock runs fast.
      const next = wait(HOUR);
      const quiet = createHarness(testStore.store);
      await quiet.log.emit([{ ...number, key: 'A', event: textEvent('A') }]);
      expect(idsIn(await asTimePasses(SECOND, next))).toEqual(['A']);
    });

    test('ends when the time is over, and when the caller goes away', async () => {
      const timed = wait(2 * SECOND);
      const gone = new AbortController();
      const left = wait(60 * SECOND, gone.signal);
      gone.abort();
      expect(await left).toEqual([]);
      expect(await asTimePasses(500, timed)).toEqual([]);
    });
  });

  describe('streaming', () => {
    let streams: EventStreams;
    beforeEach(() => {
      streams = createEventStreams({ ...harness, feed, live, learnNews: async () => {} });
    });

    async function open(after?: string, mayStay = () => true, kind?: EventKind) {
      const gone = new AbortController();
      const stream = await streams.open({
        filter: { ...all, kind },
        after: after === undefined ? undefined : parseCursor(after),
        signal: gone.signal,
        holder: 'key',
        mayStay,
      });
      const words = stream[Symbol.asyncIterator]();
      const next = async () => String((await words.next()).value ?? 'END');
      return { next, gone };
    }

    /** Advances the clock meanwhile: an event that another transaction hides for a moment is found by the next poll. */
    async function eventOf({ next }: Awaited<ReturnType<typeof open>>): Promise<string> {
      for (;;) {
        const word = await asTimePasses(200, next());
        if (!word.startsWith(':')) return word;
      }
    }

    test('begins with what happens next, and goes on behind what was seen last', async () => {
      await emit('before');
      await shown(1);
      const stream = await open();
      const [, beginning] = /^id: (\S+)\nretry: 2000\n\n$/.exec(await stream.next()) ?? [];
      const event = eventOf(stream);
      await emit('A', 'first');
      const [id, kind, data, ...end] = (await event).split('\n');
      expect([kind, end]).toEqual(['event: message', ['', '']]);
      expect(JSON.parse(data?.slice('data: '.length) ?? '')).toEqual(textEvent('A', 'first'));
      stream.gone.abort();

      await emit('B');
      for (const [cursor, expected] of [
        [id?.slice('id: '.length), 'B'],
        [beginning, 'A'],
      ]) {
        const resumed = await open(cursor);
        await resumed.next();
        expect(await eventOf(resumed)).toContain(`"message_id":"${expected}"`);
        resumed.gone.abort();
      }
    });

    test('sends heartbeats, and stops for a reader that may no longer read', async () => {
      let allowed = true;
      const { next } = await open(undefined, () => allowed);
      await next();
      expect(await asTimePasses(SECOND, next())).toBe(': still here\n\n');
      allowed = false;
      expect(await asTimePasses(SECOND, next())).toBe('END');
    });

    test('notifies hosts of readers of events that need the number to appear online, while they read', async () => {
      const published: unknown[] = [];
      const listening = harness.bus.subscribe(READERS_TOPIC, (news) => published.push(news));
      const all = await open();
      const typing = await open(undefined, undefined, 'typing');
      await Promise.all([all.next(), typing.next()]);
      await vi.waitFor(() => expect(published).toEqual([expect.objectContaining({ forMs: 60_000 })]));
      harness.clock.advance(20_000);
      await vi.waitFor(() => expect(published).toHaveLength(2));
      typing.gone.abort();
      harness.clock.advance(60_000);
      // The bus keeps the order of messages.
      harness.bus.publish(READERS_TOPIC, 'the last');
      await vi.waitFor(() => expect(published.at(-1)).toBe('the last'));
      expect(published).toHaveLength(3);
      all.gone.abort();
      listening.stop();
    });

    test('ends when the gateway stops', async () => {
      const { next } = await open();
      await next();
      const last = next();
      streams.close();
      expect(await last).toBe('END');
    });
  });
}
