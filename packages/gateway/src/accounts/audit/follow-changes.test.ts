import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '#platform/store';
import { useStore, watchStore } from '#testing';
import { createHarness } from '../testing/harness.ts';
import { type ChangeFollower, followChanges } from './follow-changes.ts';

/** Writes entries as many changes in a row would. */
async function logChanges(store: Store, accountIds: (string | null)[]): Promise<void> {
  await store.transaction(async (trx) => {
    const last = await trx
      .selectFrom('audit_log')
      .select((e) => e.fn.max('number').as('number'))
      .executeTakeFirst();
    const first = (last?.number ?? 0) + 1;
    for (const [index, account_id] of accountIds.entries()) {
      const entry = { at: 0, actor: 'system', action: 'account.changed', subject: '', detail: '{}' };
      await trx
        .insertInto('audit_log')
        .values({ number: first + index, account_id, ...entry })
        .execute();
    }
  });
}

describe('following the changes', () => {
  const test = useStore('SQLite', 'new for each test');
  let follower: ChangeFollower | undefined;
  afterEach(() => follower?.close());

  function begin() {
    const { store: plain, clock } = createHarness(test);
    const store = watchStore(plain);
    const seen: (string | null)[] = [];
    follower = followChanges({ store, clock, onChange: (accountId) => seen.push(accountId) });
    /** Moves the clock in small steps and lets each reading finish. */
    async function pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += 100) {
        clock.advance(100);
        await store.settled();
      }
    }
    return { store, clock, seen, follower, pass };
  }

  it('begins at the end of the log: what was before is no news', async () => {
    const { store, seen, follower } = begin();
    await logChanges(store, ['a', 'b']);
    await follower.upToDate();
    expect(seen).toEqual([]);
    expect(follower.position).toBe(2);
  });

  it('receives each of many changes once and in order', async () => {
    const { store, seen, follower } = begin();
    await follower.upToDate();
    const many = Array.from({ length: 1_201 }, (_, index) => (index % 7 ? `acc_${index}` : null));
    await logChanges(store, many);
    await follower.upToDate();
    await follower.upToDate();
    expect(seen).toEqual(many);
  });

  it('has seen, when it is up to date, all that was committed before it was asked', async () => {
    const { store, seen, follower } = begin();
    await follower.upToDate();
    const release = store.holdNextReadOf('audit_log');
    const early = follower.upToDate();
    await vi.waitFor(() => expect(store.heldReads).toBe(1));
    await logChanges(store, ['a']);
    const late = follower.upToDate();
    release();
    await early;
    await late;
    expect(seen).toEqual(['a']);
  });

  it('reads once for all who ask at the same time', async () => {
    const { store, follower } = begin();
    await follower.upToDate();
    const reads = store.reads;
    await Promise.all(Array.from({ length: 100 }, () => follower.upToDate()));
    expect(store.reads - reads).toBeLessThanOrEqual(2);
  });

  it('is recent for a second after a read, and stays so while it is asked', async () => {
    const { clock, follower, pass } = begin();
    expect(follower.isRecent()).toBe(false);
    await follower.upToDate();
    clock.advance(1_000);
    expect(follower.isRecent()).toBe(true);
    clock.advance(1);
    expect(follower.isRecent()).toBe(false);
    await follower.upToDate();
    for (let asked = 0; asked < 30; asked++) {
      await pass(100);
      expect(follower.isRecent()).toBe(true);
    }
  });

  it('does not read the database while it is not asked', async () => {
    const { store, follower, pass } = begin();
    await follower.upToDate();
    follower.isRecent();
    await pass(2_000);
    const reads = store.reads;
    await pass(5_000);
    expect(store.reads).toBe(reads);
  });

  it('says that it failed, is not recent then, and misses nothing afterwards', async () => {
    const { store, clock, seen, follower } = begin();
    await follower.upToDate();
    store.cutOff();
    await logChanges(store, ['a']);
    await expect(follower.upToDate()).rejects.toThrow('out of reach');
    clock.advance(1_001);
    expect(follower.isRecent()).toBe(false);
    store.reconnect();
    await follower.upToDate();
    expect(seen).toEqual(['a']);
  });

  it('reads no more once it is closed, not even after a reading that was under way', async () => {
    const { store, clock, follower, pass } = begin();
    await follower.upToDate();
    follower.isRecent();
    const release = store.holdNextReadOf('audit_log');
    clock.advance(400);
    await vi.waitFor(() => expect(store.heldReads).toBe(1));
    follower.close();
    release();
    const reads = store.reads;
    await pass(2_000);
    expect(store.reads).toBe(reads);
  });
});
