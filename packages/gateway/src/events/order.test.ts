import { beforeEach, expect, test, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { endOfLog, entriesAfter, entriesBefore, type LogFilter, type Position } from './event-log-queries.ts';
import { searchReceived } from './lookup/lookup-queries.ts';
import { textEvent } from './testing/index.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };

describeOnEachDatabase('the order of the log', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let number: OwnedNumber;
  let all: LogFilter;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    number = await harness.newNumber();
    all = { accountId: number.accountId, slotId: undefined, kind: undefined, extensions: [] };
  });

  const idsIn = (rows: readonly { event_id: string }[]) => rows.map(({ event_id }) => event_id);
  const after = async (position: Position, limit = 10) =>
    idsIn(await entriesAfter(testStore.store, all, position, limit));

  /** As where a transaction that began later got its numbers first: the log has B and C before A. */
  async function emitInterleaved(): Promise<{ early: number; late: number }> {
    for (const id of ['A', 'B', 'C']) await harness.log.emit([{ ...number, key: id, event: textEvent(id) }]);
    // Visible before they are changed: both places lie in the past then.
    await vi.waitFor(async () => expect(await after({ tx: 0, seq: 0 })).toHaveLength(3), PATIENCE);
    const [early, late] = [1, 2];
    await testStore.store.transaction(async (trx) => {
      const ofAccount = trx.updateTable('events').where('account_id', '=', number.accountId);
      await ofAccount.set({ tx: early }).execute();
      await ofAccount.set({ tx: late }).where('key', '=', 'A').execute();
    });
    return { early, late };
  }

  test('is that of transactions, and within one of numbers, wherever it is read', async () => {
    const { early, late } = await emitInterleaved();
    const { store } = testStore;
    const end = await endOfLog(store, number.accountId);
    expect(end.tx).toBe(late);
    const [b, c, a] = await entriesAfter(store, all, { tx: 0, seq: 0 }, 10);
    expect(idsIn([b, c, a].flatMap((each) => each ?? []))).toEqual(['B', 'C', 'A']);
    expect(end).toEqual({ tx: a?.tx, seq: a?.seq });
    expect(await after({ tx: 0, seq: 0 }, 2)).toEqual(['B', 'C']);
    expect(await after({ tx: early, seq: b?.seq ?? 0 })).toEqual(['C', 'A']);
    expect(await after({ tx: early, seq: c?.seq ?? 0 })).toEqual(['A']);
    expect(await after(end)).toEqual([]);
    expect(idsIn(await entriesBefore(store, all, undefined, 10))).toEqual(['A', 'C', 'B']);
    expect(idsIn(await entriesBefore(store, all, undefined, 1))).toEqual(['A']);
    expect(idsIn(await entriesBefore(store, all, end, 10))).toEqual(['C', 'B']);
    const received = { accountId: number.accountId, slotId: undefined, limit: 10 };
    expect(idsIn((await searchReceived(store, received)).rows)).toEqual(['A', 'C', 'B']);
    expect(idsIn((await searchReceived(store, { ...received, before: end })).rows)).toEqual(['C', 'B']);
  });

  test('begins before all events where there are none', async () => {
    expect(await endOfLog(testStore.store, number.accountId)).toEqual({ tx: 0, seq: 0 });
  });
}
