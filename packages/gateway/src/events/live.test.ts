import { beforeEach, expect, test, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { createPayloadReader, type LogFilter } from './event-log-queries.ts';
import { createFeed, type Feed, PAGE_BYTES, START_OF_LOG } from './feed.ts';
import { createLiveFeed, type Follower, type LiveFeed } from './live.ts';
import { HEALTH_EVENT, textEvent } from './testing/index.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };

describeOnEachDatabase('following a log', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let number: OwnedNumber;
  let all: LogFilter;
  let live: LiveFeed;
  let pages: LogFilter[];
  let feed: Feed;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    number = await harness.newNumber();
    all = { accountId: number.accountId, slotId: undefined, kind: undefined, extensions: [] };
    const readPayloads = createPayloadReader({ ...harness, log: { error: () => {} } });
    const actual = createFeed({ ...harness, readPayloads });
    pages = [];
    feed = {
      ...actual,
      page(filter, ...rest) {
        pages.push(filter);
        return actual.page(filter, ...rest);
      },
    };
    live = createLiveFeed({ ...harness, feed });
  });

  const emit = (ids: readonly string[], text = 'Hello', of = number) =>
    harness.log.emit(ids.map((id) => ({ ...of, key: id, event: textEvent(id, text) })));

  /** What a follower gets, batch by batch, until there are as many as expected; the clock moves meanwhile. */
  async function take(follower: Follower, count: number, limit = 100): Promise<string[]> {
    const ids: string[] = [];
    const { signal } = new AbortController();
    await vi.waitFor(async () => {
      harness.clock.advance(200);
      const events = await follower.next({ limit, waitMs: 0, signal });
      ids.push(...events.map(({ eventId }) => eventId));
      expect(ids.length).toBeGreaterThanOrEqual(count);
    }, PATIENCE);
    return ids;
  }

  test('shows events beyond the specification to followers that ask for them', async () => {
    const end = await feed.end(number.accountId);
    const plain = live.follow(all, end);
    const asking = live.follow({ ...all, extensions: ['health'] }, end);
    await Promise.all([plain, asking].map((each) => take(each, 0)));
    await harness.log.emit([{ ...number, key: 'h', event: HEALTH_EVENT }]);
    await emit(['A']);
    expect(await take(asking, 2)).toEqual([expect.stringMatching(/^health_/), 'A']);
    expect(await take(plain, 1)).toEqual(['A']);
    for (const follower of [plain, asking]) follower.leave();
  });

  test('reads the log of an account once for all who follow it', async () => {
    const end = await feed.end(number.accountId);
    const followers = Array.from({ length: 40 }, () => live.follow(all, end));
    await Promise.all(followers.map((each) => take(each, 0)));
    const before = pages.length;
    await emit(['A', 'B', 'C']);
    for (const follower of followers) expect(await take(follower, 3)).toEqual(['A', 'B', 'C']);
    // Looks in vain belong to the one who reads along, too.
    expect(pages.length - before).toBeLessThan(20);
    for (const follower of followers) follower.leave();
  });

  test('gives each follower only what it asked for', async () => {
    const sibling = { ...(await harness.newNumber()), accountId: number.accountId };
    const end = await feed.end(number.accountId);
    const own = live.follow({ ...all, slotId: number.slotId }, end);
    const calls = live.follow({ ...all, kind: 'call' }, end);
    const everything = live.follow(all, end);
    for (const each of [own, calls, everything]) await take(each, 0);
    await emit(['another’s'], 'x', await harness.newNumber());
    await emit(['A']);
    await emit(['S'], 'x', sibling);
    expect(await take(everything, 2)).toEqual(['A', 'S']);
    expect(await take(own, 1)).toEqual(['A']);
    expect(await take(calls, 0)).toEqual([]);
    for (const each of [own, calls, everything]) each.leave();
  });

  test('misses and doubles nothing between what was and what comes, however late one begins', async () => {
    const earlier = Array.from({ length: 25 }, (_, place) => `past-${place}`);
    await emit(earlier);
    const first = live.follow(all, START_OF_LOG);
    const seen = await take(first, 10, 10);
    const later = Array.from({ length: 25 }, (_, place) => `live-${place}`);
    const second = live.follow(all, START_OF_LOG);
    for (const id of later) await emit([id]);
    const whole = [...earlier, ...later];
    expect([...seen, ...(await take(first, whole.length - seen.length, 7))]).toEqual(whole);
    expect(await take(second, whole.length, 7)).toEqual(whole);
    for (const each of [first, second]) each.leave();
  });

  test('lets a slow follower catch up, without a wait for the others', async () => {
    const end = await feed.end(number.accountId);
    const [slow, quick] = [live.follow(all, end), live.follow(all, end)];
    await Promise.all([slow, quick].map((each) => take(each, 0)));
    const ids = Array.from({ length: 1_600 }, (_, place) => `E${place}`);
    for (let from = 0; from < ids.length; from += 400) {
      const some = ids.slice(from, from + 400);
      await emit(some);
      expect(await take(quick, some.length, 500)).toEqual(some);
    }
    expect(await take(slow, ids.length, 500)).toEqual(ids);
    await emit(['after']);
    for (const each of [slow, quick]) {
      expect(await take(each, 1)).toEqual(['after']);
      each.leave();
    }
  });

  test('keeps again for one who was left behind by large events, once it has caught up', async () => {
    const end = await feed.end(number.accountId);
    const slow = live.follow(all, end);
    const quick = live.follow(all, end);
    await Promise.all([slow, quick].map((each) => take(each, 0)));
    const large = ['L1', 'L2', 'L3'];
    for (const id of large) {
      await emit([id], 'x'.repeat(PAGE_BYTES / 2));
      expect(await take(quick, 1)).toEqual([id]);
    }
    expect(await take(slow, large.length)).toEqual(large);
    await Promise.all([slow, quick].map((each) => take(each, 0)));
    const before = pages.length;
    const own = () => pages.slice(before).filter((filter) => filter === all).length;
    for (const id of ['A', 'B']) {
      await emit([id]);
      expect(await take(slow, 1)).toEqual([id]);
    }
    expect(own()).toBe(0);
    for (const each of [slow, quick]) each.leave();
  });

  test('ends for everybody when the log cannot be read, and begins anew for who comes then', async () => {
    const end = await feed.end(number.accountId);
    const [follower, other] = [live.follow(all, end), live.follow(all, end)];
    await Promise.all([take(follower, 0), take(other, 0)]);
    const { page } = feed;
    feed.page = async () => {
      throw new Error('out of reach');
    };
    const { signal } = new AbortController();
    const waiting = follower.next({ limit: 1, waitMs: 60_000, signal });
    waiting.catch(() => {});
    harness.bus.publish(`events.${number.accountId}`, null);
    await expect(waiting).rejects.toThrow('out of reach');
    // Also for one who was not waiting at that moment.
    await expect(other.next({ limit: 1, waitMs: 60_000, signal })).rejects.toThrow('out of reach');
    for (const each of [follower, other]) each.leave();
    feed.page = page;
    const next = live.follow(all, end);
    await emit(['A']);
    expect(await take(next, 1)).toEqual(['A']);
    next.leave();
  });

  test('stops listening for an account that is followed no more, and begins again with the next', async () => {
    const topics: string[] = [];
    const bus = {
      subscribe(topic: string, listener: (news: unknown) => void) {
        topics.push(topic);
        const subscription = harness.bus.subscribe(topic, listener);
        return {
          stop() {
            topics.splice(topics.indexOf(topic), 1);
            subscription.stop();
          },
        };
      },
    };
    const counted = createLiveFeed({ ...harness, feed, bus });
    const end = await feed.end(number.accountId);
    const [one, other] = [counted.follow(all, end), counted.follow(all, end)];
    await Promise.all([one, other].map((each) => take(each, 0)));
    expect(topics).toEqual([`events.${number.accountId}`]);
    one.leave();
    await emit(['A']);
    expect(await take(other, 1)).toEqual(['A']);
    expect(topics).toHaveLength(1);
    other.leave();
    await vi.waitFor(() => expect(topics).toEqual([]), PATIENCE);
    const next = counted.follow(all, end);
    expect(await take(next, 1)).toEqual(['A']);
    expect(topics).toHaveLength(1);
    next.leave();
  });
}
