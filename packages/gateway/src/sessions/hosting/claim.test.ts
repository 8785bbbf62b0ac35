import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Store } from '#platform/store';
import { openPlanner, watchStatements } from '#platform/store/testing';
import { describeOnEachDatabase, useStore } from '#testing';
import { takeUnlinkJobs } from '../session-queries.ts';
import { linkNumbers } from '../testing/rows.ts';
import {
  claimSessions,
  countSessions,
  readLoads,
  registerWorker,
  releaseSessions,
  renewLease,
} from './hosting-queries.ts';
import { LEASE_MS } from './lease.ts';

const NOW = Date.UTC(2026, 0, 1);
const FREE = 6;
const LIMIT = 2;

/**
 * Planner methods that PostgreSQL prefers for a join with a subquery; without them it runs the subquery once for
 * every row.
 */
const BETTER_WAYS = ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort'];

const register = (store: Store, worker: string) =>
  registerWorker(store, { worker, now: NOW, leaseMs: LEASE_MS, dropBefore: 0, keyIds: [] });

describeOnEachDatabase('claiming sessions of a worker whose lease has lapsed', (test) => {
  it('leaves them to that worker when it renews at the last moment, by a clock that is slightly behind', async () => {
    const { store } = test;
    await register(store, 'late');
    await linkNumbers(store, 1, 'late');
    const machineNow = NOW + LEASE_MS;
    const lateNow = machineNow - 500;
    let renewals = 0;
    const meanwhile: Store = {
      ...store,
      async transaction(work) {
        const lease = { worker: 'late', now: lateNow, leaseMs: LEASE_MS, heldAfter: lateNow };
        if (await renewLease(store, lease)) renewals++;
        return store.transaction(work);
      },
    };
    const claim = { worker: 'other', limit: 1, now: NOW, machineNow };
    expect(await claimSessions(meanwhile, claim)).toEqual([]);
    expect(renewals).toBe(1);
    const lapsed = { ...claim, machineNow: lateNow + LEASE_MS };
    expect(await claimSessions(store, lapsed)).toMatchObject([{ from: 'late', row: { worker: 'other' } }]);
  });
});

describeOnEachDatabase('claiming up to a limit', (test) => {
  it('takes what was given up first, then what workers have left that are gone', async () => {
    const { store } = test;
    await register(store, 'new');
    await linkNumbers(store, 5, 'gone');
    const slotIds = ['slot_1', 'slot_3'];
    await releaseSessions(store, { worker: 'gone', slotIds, now: NOW });
    const claim = { worker: 'new', now: NOW, machineNow: NOW };
    const claimed = await claimSessions(store, { ...claim, limit: 3 });
    expect(claimed.map(({ from }) => from)).toEqual([null, null, 'gone']);
    expect(claimed.map(({ row }) => row.slot_id)).toEqual(expect.arrayContaining(slotIds));
    expect(await claimSessions(store, { ...claim, limit: 3 })).toHaveLength(2);
  });
});

describeOnEachDatabase('the loads of workers', (test) => {
  it('count sessions to be hosted by workers that are alive, also by idle ones', async () => {
    const { store } = test;
    await register(store, 'late');
    for (const worker of ['one', 'idle'])
      await registerWorker(store, { worker, now: NOW + 1, leaseMs: LEASE_MS, dropBefore: 0, keyIds: [] });
    await linkNumbers(store, 3, 'one');
    await store.transaction((trx) =>
      trx
        .updateTable('sessions')
        .set({ status: 'logged_out', worker: null })
        .where('slot_id', '=', 'slot_2')
        .execute(),
    );
    const { loads, total } = await readLoads(store.read, NOW + LEASE_MS);
    expect(loads.toSorted((one, other) => one.sessions - other.sessions)).toEqual([
      { worker: 'idle', sessions: 0 },
      { worker: 'one', sessions: 2 },
    ]);
    expect(total).toBe(2);
  });
});

describeOnEachDatabase('the lease of a worker', (test) => {
  it('is renewed alone, and not after it has lapsed', async () => {
    const { store } = test;
    for (const worker of ['one', 'other']) await register(store, worker);
    const renewal = { worker: 'one', now: NOW + 5, leaseMs: LEASE_MS };
    expect(await renewLease(store, { ...renewal, heldAfter: NOW + LEASE_MS })).toBe(false);
    expect(await renewLease(store, { ...renewal, heldAfter: NOW + LEASE_MS - 1 })).toBe(true);
    const { loads } = await readLoads(store.read, NOW + LEASE_MS);
    expect(loads.map(({ worker }) => worker)).toEqual(['one']);
  });
});

describeOnEachDatabase('a session that changes its host', (test) => {
  it('is reconnecting since then where it was connected, and since before where it was not', async () => {
    const { store } = test;
    await linkNumbers(store, 2);
    const change = (slotId: string, status: 'connected' | 'reconnecting', since: number) =>
      store.transaction((trx) =>
        trx.updateTable('sessions').set({ status, since }).where('slot_id', '=', slotId).execute(),
      );
    const rows = () =>
      store.read
        .selectFrom('sessions')
        .select(['slot_id', 'status', 'since', 'fence', 'worker'])
        .orderBy('slot_id')
        .execute();
    await change('slot_1', 'reconnecting', NOW - 5);
    await register(store, 'one');
    await claimSessions(store, { worker: 'one', limit: 2, now: NOW + 7, machineNow: NOW });
    const claimed = { status: 'reconnecting', fence: 2, worker: 'one' };
    expect(await rows()).toEqual([
      { slot_id: 'slot_0', since: NOW + 7, ...claimed },
      { slot_id: 'slot_1', since: NOW - 5, ...claimed },
    ]);
    await change('slot_0', 'connected', NOW + 8);
    const release = { slotIds: ['slot_0', 'slot_1'], now: NOW + 20 };
    await releaseSessions(store, { worker: 'other', ...release });
    expect(await rows()).toMatchObject([{ worker: 'one' }, { worker: 'one' }]);
    await releaseSessions(store, { worker: 'one', ...release });
    const released = { status: 'reconnecting', fence: 2, worker: null };
    expect(await rows()).toEqual([
      { slot_id: 'slot_0', since: NOW + 20, ...released },
      { slot_id: 'slot_1', since: NOW - 5, ...released },
    ]);
  });
});

describe('looking for sessions without a host, among very many that have one', () => {
  const test = useStore('PostgreSQL', 'shared by all tests');
  const SESSIONS = 20_000;
  const WORKERS = 200;

  /** Most have a host, some are logged out; three were released, and two belong to a worker that is gone. */
  const fill = [
    `INSERT INTO accounts (id, name, email, status, created_at) VALUES ('acc', 'A', 'a@example.com', 'active', ${NOW})`,
    `INSERT INTO devices (slot_id, account_id, phone, plan, status, created_at)
     SELECT 'slot_' || i, 'acc', '1555' || i, 'max', 'active', ${NOW} FROM generate_series(1, ${SESSIONS}) AS i`,
    `INSERT INTO sessions (slot_id, account_id, phone, session_id, link_id, status, since, auto_reject, presence_policy, fence, worker)
     SELECT 'slot_' || i, 'acc', '1555' || i, '1555' || i || ':1@s.whatsapp.net', 'link_' || i,
       CASE WHEN i > ${SESSIONS - 50} THEN 'logged_out' ELSE 'connected' END, ${NOW}, 0, 'auto', 1,
       CASE WHEN i > ${SESSIONS - 50} OR i <= 3 THEN NULL WHEN i <= 5 THEN 'gone' ELSE 'worker_' || i % ${WORKERS} END
     FROM generate_series(1, ${SESSIONS}) AS i`,
    `INSERT INTO workers (worker, started_at, last_seen, lease_expires_at)
     SELECT 'worker_' || i, ${NOW}, ${NOW}, ${NOW + 60_000} FROM generate_series(0, ${WORKERS - 1}) AS i`,
  ];

  it('reads none of those, and finds all without a host', async () => {
    const { store } = test;
    await store.transaction(async (trx) => {
      for (const statement of fill) await sql.raw(statement).execute(trx);
      await sql.raw('ANALYZE sessions').execute(trx);
    });
    const watch = watchStatements('postgres');
    const claim = { worker: 'worker_1', limit: 10, now: NOW, machineNow: NOW };
    const claimed = await claimSessions(store, claim);
    expect(claimed.map(({ row, from }) => [row.slot_id, from]).sort()).toEqual([
      ['slot_1', null],
      ['slot_2', null],
      ['slot_3', null],
      ['slot_4', 'gone'],
      ['slot_5', 'gone'],
    ]);
    const asked = watch.seen().filter(({ sql: text }) => /"(?:sessions|hosts)"/.test(text));
    watch.stop();
    const watchAgain = watchStatements('postgres');
    expect(await claimSessions(store, claim)).toEqual([]);
    // Sessions of workers that are alive are not scanned.
    expect(watchAgain.seen()).toHaveLength(2);
    watchAgain.stop();
    const planner = await openPlanner(test.url);
    expect(asked.length).toBeGreaterThan(3);
    for (const statement of asked)
      expect(await planner.scans(statement), statement.sql).not.toContain('sessions');
    await planner.close();
  });
});

describe('claiming sessions without a host', () => {
  const test = useStore('PostgreSQL', 'shared by all tests');

  async function openWithStubbornPlanner(): Promise<Store> {
    const settings = BETTER_WAYS.map(
      (way) => `EXECUTE format('ALTER DATABASE %I SET enable_${way} = off', current_database());`,
    );
    await test.store.transaction((trx) => sql.raw(`DO $$ BEGIN ${settings.join(' ')} END $$`).execute(trx));
    return test.openAgain();
  }

  it('writes nothing for a worker that releases no sessions', async () => {
    const watch = watchStatements('postgres');
    await releaseSessions(test.store, { worker: 'worker_1', slotIds: [], now: NOW });
    expect(watch.seen()).toEqual([]);
    watch.stop();
  });

  it('gives a worker no more sessions than it asked for, and none to two', async () => {
    const { store } = test;
    await linkNumbers(store, FREE);
    expect(await countSessions(store.read)).toBe(FREE);
    const stubborn = await openWithStubbornPlanner();
    const claim = (worker: string) =>
      claimSessions(stubborn, { worker, limit: LIMIT, now: NOW, machineNow: NOW });
    for (const worker of ['one', 'other']) await register(stubborn, worker);
    const claims = await Promise.all([claim('one'), claim('other')]);
    expect(claims.map(({ length }) => length)).toEqual([LIMIT, LIMIT]);
    expect(new Set(claims.flat().map(({ row }) => row.slot_id)).size).toBe(2 * LIMIT);
  });

  it('returns no more unlink jobs than were asked for', async () => {
    const stubborn = await openWithStubbornPlanner();
    await stubborn.transaction(async (trx) => {
      for (let each = 0; each < FREE; each++)
        await trx
          .insertInto('ending_links')
          .values({ link_id: `ending_${each}`, fence: 1, since: NOW + each, taken_until: 0 })
          .execute();
    });
    const taken = await takeUnlinkJobs(stubborn, { machineNow: NOW, until: NOW + 1_000, limit: LIMIT });
    expect(taken.map(({ linkId }) => linkId).sort()).toEqual(['ending_0', 'ending_1']);
  });
});
