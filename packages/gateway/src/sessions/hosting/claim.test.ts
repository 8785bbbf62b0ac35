import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Store } from '#store';
import { useStore } from '#testing';
import { takeEndingLinks } from '../store.ts';
import { claimSessions } from './store.ts';

const NOW = Date.UTC(2026, 0, 1);
const FREE = 6;
const LIMIT = 2;

/** How PostgreSQL would rather put a table and a subquery together; without these it runs the subquery once for every row. */
const BETTER_WAYS = ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort'];

describe('taking what nobody has', () => {
  const test = useStore('PostgreSQL', 'shared by all tests');

  async function openWithStubbornPlanner(): Promise<Store> {
    const settings = BETTER_WAYS.map(
      (way) => `EXECUTE format('ALTER DATABASE %I SET enable_${way} = off', current_database());`,
    );
    await test.store.transaction((trx) => sql.raw(`DO $$ BEGIN ${settings.join(' ')} END $$`).execute(trx));
    return test.openAgain();
  }

  it('gives a worker no more sessions than it asked for, and none to two', async () => {
    const { store } = test;
    await store.transaction(async (trx) => {
      await trx
        .insertInto('accounts')
        .values({ id: 'acc', name: 'A', email: 'a@example.com', status: 'active', created_at: NOW })
        .execute();
      for (let each = 0; each < FREE; each++) {
        const number = { slot_id: `slot_${each}`, account_id: 'acc', phone: `1555000${each}` };
        await trx
          .insertInto('devices')
          .values({ ...number, plan: 'max', status: 'active', activated_at: NOW, created_at: NOW })
          .execute();
        await trx
          .insertInto('sessions')
          .values({
            ...number,
            session_id: `1555000${each}:1@s.whatsapp.net`,
            link_id: `link_${each}`,
            status: 'connected',
            since: NOW,
            auto_reject: 0,
            presence_policy: 'auto',
            fence: 1,
          })
          .execute();
      }
    });
    const stubborn = await openWithStubbornPlanner();
    const claim = (worker: string) =>
      claimSessions(stubborn, { worker, limit: LIMIT, now: NOW, machineNow: NOW });
    await stubborn.transaction((trx) =>
      trx
        .insertInto('workers')
        .values(
          ['one', 'other'].map((worker) => ({
            worker,
            started_at: NOW,
            last_seen: NOW,
            lease_expires_at: NOW + 60_000,
          })),
        )
        .execute(),
    );
    const claims = await Promise.all([claim('one'), claim('other')]);
    expect(claims.map(({ length }) => length)).toEqual([LIMIT, LIMIT]);
    expect(new Set(claims.flat().map(({ row }) => row.slot_id)).size).toBe(2 * LIMIT);
  });

  it('gives no more links to end than were asked for', async () => {
    const stubborn = await openWithStubbornPlanner();
    await stubborn.transaction(async (trx) => {
      for (let each = 0; each < FREE; each++)
        await trx
          .insertInto('ending_links')
          .values({ link_id: `ending_${each}`, fence: 1, since: NOW + each, taken_until: 0 })
          .execute();
    });
    const taken = await takeEndingLinks(stubborn, { machineNow: NOW, until: NOW + 1_000, limit: LIMIT });
    expect(taken.map(({ linkId }) => linkId).sort()).toEqual(['ending_0', 'ending_1']);
  });
});
