import type { EventOf } from '@parley/contract';
import { expect, it, test, vi } from 'vitest';
import { createEventLog } from '#events';
import { plainEvent } from '#events/write-commands';
import type { OwnedNumber } from '#platform/http';
import { describeOnEachDatabase, watchStore } from '#testing';
import { registerWebhook, updateWebhook } from '#webhooks';
import { createHarness } from '#webhooks/testing';
import { readHealth } from './health.ts';
import { dueNumbers, meetPeople } from './health-queries.ts';
import { createHealthFollower } from './state/health-follower.ts';
import type { SignalNote } from './state/health-notes.ts';
import { endRestrictions, tidyCounts } from './upkeep.ts';
import { noteHealth } from './write-commands.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MODULES = ['./write-commands.ts', '../events/write-commands.ts'].map(
  (path) => new URL(path, import.meta.url),
);
const quiet = { debug() {}, error: vi.fn(), warn: vi.fn() };

describeOnEachDatabase(
  'the health of a number',
  (testStore) => {
    async function start() {
      const harness = createHarness(testStore.store);
      const number = await harness.newNumber();
      const { accountId, slotId } = number;
      const subject = { number, sessionId: `${number.phone}:1@s.whatsapp.net`, fence: null };
      const note = (...signals: SignalNote[]) =>
        harness.store.run(noteHealth, {
          accountId,
          slotId,
          sessionId: subject.sessionId,
          fence: null,
          at: harness.clock.now(),
          signals,
        });
      const publishedEvents = async () => {
        const rows = await harness.store.read
          .selectFrom('events')
          .select('body')
          .where('slot_id', '=', slotId)
          .orderBy('seq')
          .execute();
        return rows.map(({ body }) => JSON.parse(body));
      };
      const states = async () => (await publishedEvents()).map(({ state }) => state);
      return { harness, number, subject, note, publishedEvents, states };
    }

    const lock = (endsAt: number): SignalNote => ({ kind: 'reachout_lock', active: true, endsAt });

    it('is published once for each change, to webhooks that want it', async () => {
      const { harness, number, note, states } = await start();
      const hook = 'https://receiver.example/hook';
      const { id } = await registerWebhook(harness, number, { connection_url: hook });
      const endsAt = harness.clock.now() + HOUR;
      expect(await note(lock(endsAt))).toBe(true);
      expect(await note(lock(endsAt))).toBe(false);
      const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
      await updateWebhook(harness, caller, id, { extensions: ['health'] });
      await note({ kind: 'reachout_lock', active: false });
      expect(await states()).toEqual(['restricted', 'healthy']);
      const queued = await harness.store.read
        .selectFrom('deliveries')
        .select(['kind', 'category', 'event'])
        .where('account_id', '=', number.accountId)
        .execute();
      expect(queued.map(({ event, ...rest }) => ({ ...rest, state: JSON.parse(event).state }))).toEqual([
        { kind: 'health', category: 'connection', state: 'healthy' },
      ]);
    });

    it('returns when a restriction ends, published by one of all processes', async () => {
      const { harness, note, states } = await start();
      await note(lock(harness.clock.now() + HOUR));
      const parts = { ...harness, events: harness.log, log: quiet };
      const jobs = [endRestrictions(parts), endRestrictions(parts)];
      harness.clock.advance(HOUR);
      await vi.waitFor(async () => {
        harness.clock.advance(1_000);
        expect(await states()).toEqual(['restricted', 'healthy']);
      });
      const stopped = Promise.all(jobs.map((job) => job.stop()));
      harness.clock.advance(1_000);
      await stopped;
      expect(await states()).toEqual(['restricted', 'healthy']);
    });

    it('is not announced again where another process was first', async () => {
      const { harness, note, states } = await start();
      await note(lock(harness.clock.now() + HOUR));
      const announced: unknown[] = [];
      const store = {
        ...harness.store,
        async run(...args: Parameters<typeof harness.store.run>) {
          await harness.store.run(...args);
          return harness.store.run(...args);
        },
      } as typeof harness.store;
      harness.clock.advance(HOUR);
      const events = { announce: (news: unknown) => void announced.push(news) };
      const job = endRestrictions({ ...harness, store, events, log: quiet });
      await vi.waitFor(async () => expect(await states()).toEqual(['restricted', 'healthy']));
      await job.stop();
      expect(announced).toEqual([]);
    });

    it('is not checked further when the process stops between two numbers', async () => {
      const [one, other] = [await start(), await start()];
      const { harness } = one;
      for (const { note } of [one, other]) await note(lock(harness.clock.now() + HOUR));
      const runs: string[] = [];
      const stopped = Promise.withResolvers<Promise<void>>();
      const store = {
        ...harness.store,
        async run(...args: Parameters<typeof harness.store.run>) {
          runs.push((args[1] as { slotId: string }).slotId);
          stopped.resolve(job.stop());
          return harness.store.run(...args);
        },
      } as typeof harness.store;
      harness.clock.advance(2 * HOUR);
      const job = endRestrictions({ ...harness, store, events: harness.log, log: quiet });
      await stopped.promise;
      expect(runs).toHaveLength(1);
    });

    it('ignores notes of a former host', async () => {
      const { harness, number, subject, states } = await start();
      const { accountId, slotId } = number;
      const item = { accountId, slotId, sessionId: subject.sessionId, at: harness.clock.now(), fence: 3 };
      expect(await harness.store.run(noteHealth, { ...item, signals: [lock(item.at + HOUR)] })).toBe(false);
      expect(await states()).toEqual([]);
    });

    it('follows the network’s changes in order, also after a database outage', async () => {
      const { harness, subject, states } = await start();
      let failures = 1;
      const store = {
        run: (...args: Parameters<typeof harness.store.run>) =>
          failures-- > 0 ? Promise.reject(new Error('away')) : harness.store.run(...args),
      } as Pick<typeof harness.store, 'run'>;
      const follower = createHealthFollower({ store, events: harness.log, clock: harness.clock, log: quiet });
      follower.learn(subject, { kind: 'reachout_lock', active: true, endsAt: harness.clock.now() + HOUR });
      follower.learn(subject, { kind: 'undecryptable' });
      follower.learn(subject, { kind: 'rate_overlimit', what: 'groups' });
      follower.learn(subject, { kind: 'deaf' });
      follower.learn(subject, { kind: 'reachout_lock', active: false });
      await vi.waitFor(async () => {
        harness.clock.advance(1_000);
        expect(await states()).toEqual(['restricted', 'watch']);
      });
      await follower.stop();
      const day = await harness.store.read
        .selectFrom('health_counts')
        .select(['undecryptable', 'rate_overlimit', 'deaf'])
        .where('slot_id', '=', subject.number.slotId)
        .execute();
      expect(day).toEqual([{ undecryptable: 1, rate_overlimit: 1, deaf: 1 }]);
    });

    /** A number that was disconnected at these times, in hours ago. */
    async function cutOff(...hoursAgo: readonly number[]) {
      const { harness, number, subject } = await start();
      const now = harness.clock.now();
      const { accountId, slotId } = number;
      async function cut(ago: number): Promise<void> {
        const [signals, counts] = [[], ['disconnects'] as const];
        const note = { accountId, slotId, sessionId: subject.sessionId, fence: null, signals, counts };
        await harness.store.run(noteHealth, { ...note, at: now - ago * HOUR });
      }
      for (const ago of hoursAgo) await cut(ago);
      const health = (days?: number) =>
        readHealth({ ...harness, defaults: { dailyNewChats: 0 } }, number, days);
      const rows = () =>
        harness.store.read.selectFrom('health_counts').selectAll().where('slot_id', '=', slotId).execute();
      async function tidy(rowsLeft: number): Promise<void> {
        const job = tidyCounts({ ...harness, log: quiet });
        await vi.waitFor(async () => expect(await rows()).toHaveLength(rowsLeft));
        await job.stop();
      }
      return { harness, cut, health, tidy };
    }

    it('counts the last 24 hours, wherever the day began', async () => {
      const { health, harness } = await cutOff(0, 1, 5, 12, 23.9, 26, 30);
      expect((await health()).last_day).toMatchObject({ disconnects: 5, sent: 0 });
      expect((await health(1)).last_day.disconnects).toBe(5);
      harness.clock.advance(12 * HOUR);
      expect((await health()).last_day.disconnects).toBe(4);
      harness.clock.advance(13 * HOUR);
      expect((await health()).last_day.disconnects).toBe(0);
    });

    it('is checked when it is due, the longest overdue first', async () => {
      const { store } = testStore;
      const [later, sooner] = [await start(), await start()];
      for (const [{ note, number, harness }, due_at] of [
        [later, 2],
        [sooner, 1],
      ] as const) {
        await note(lock(harness.clock.now() + HOUR));
        await store.transaction((trx) =>
          trx.updateTable('number_health').set({ due_at }).where('slot_id', '=', number.slotId).execute(),
        );
      }
      const due = async (now: number, limit: number) =>
        (await dueNumbers(store, now, limit)).map(({ slot_id }) => slot_id);
      expect(await due(1, 10)).toEqual([sooner.number.slotId]);
      expect(await due(2, 1)).toEqual([sooner.number.slotId]);
      expect(await due(2, 10)).toEqual([sooner.number.slotId, later.number.slotId]);
      await store.transaction((trx) =>
        trx.updateTable('number_health').set({ due_at: null }).where('due_at', '<=', 2).execute(),
      );
    });

    it('records a person of an existing chat once, from the first time', async () => {
      const { store } = testStore;
      const { slotId } = (await start()).number;
      const person = '15550002001@s.whatsapp.net';
      for (const at of [5, 9]) await meetPeople(store, slotId, [person, '120363041234567890@g.us'], at);
      await meetPeople(store, slotId, ['120363041234567890@g.us'], 1);
      const known = store.read.selectFrom('known_people').select(['person', 'reached_at']);
      expect(await known.where('slot_id', '=', slotId).execute()).toEqual([{ person, reached_at: 5 }]);
    });

    it('has its counts merged once an hour', async () => {
      const { harness } = await start();
      const store = watchStore(harness.store);
      const job = tidyCounts({ ...harness, store, log: quiet });
      await store.untilQuiet();
      const begun = store.reads;
      harness.clock.advance(HOUR - 1);
      await store.untilQuiet();
      expect(store.reads).toBe(begun);
      harness.clock.advance(1);
      await vi.waitFor(() => expect(store.reads).toBeGreaterThan(begun));
      await job.stop();
    });

    it('has counts for ninety days, by day for past days', async () => {
      const { harness, cut, health, tidy } = await cutOff(0, 1);
      const now = harness.clock.now();
      // Three past days, and one beyond the retention.
      const past = Math.floor(now / DAY) * DAY - 2 * DAY;
      const ago = (days: number, hour: number): number => (now - (past - days * DAY + hour * HOUR)) / HOUR;
      for (const each of [ago(0, 0), ago(0, 1), ago(0, 23), ago(1, 5), ago(1, 6), ago(87, 3), ago(88, 3)])
        await cut(each);
      const before = await health(90);
      expect(before.days.map(({ disconnects }) => disconnects).slice(-3)).toEqual([3, 2, 1]);
      const recent = new Set([0, 1].map((hours) => Math.floor((now - hours * HOUR) / HOUR))).size;
      await tidy(recent + 3);
      expect(await health(90)).toEqual(before);
      await cut(ago(1, 7));
      await tidy(recent + 3);
      expect((await health(90)).days.map(({ disconnects }) => disconnects).slice(-3)).toEqual([3, 3, 1]);
    });
  },
  'shared by all tests',
  MODULES,
);

test('an event made inside a transaction equals one made by the log', () => {
  const clock = { now: () => 1_784_365_200_000 };
  const unused = { run: () => Promise.reject(new Error()), publish() {}, seal: () => new Uint8Array() };
  const log = createEventLog({ store: unused, bus: unused, sealedBox: unused, clock });
  const number: Pick<OwnedNumber, 'accountId' | 'slotId'> = { accountId: 'a', slotId: 's' };
  const event: EventOf<'health'> = {
    kind: 'health',
    session_id: 'x',
    previous_state: 'healthy',
    state: 'banned',
    since_unix: 1,
    restriction: { kind: 'temporary_ban', code: 101 },
    new_chats: { quota: 1, used: 1, warning: 'capped' },
    advice: ['wait_until'],
    timestamp_unix: 2,
  };
  expect(plainEvent({ ...number, key: 'k', at: clock.now(), event })).toEqual(
    log.prepare({ ...number, key: 'k', event }),
  );
});
