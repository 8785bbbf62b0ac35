import type { MessageState } from '@parley/contract';
import { beforeAll, expect, it } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { describeOnEachDatabase } from '#testing';
import { addMessage, newNumber } from '../testing/rows.ts';
import { searchSent } from './record-queries.ts';

const NOON = Date.UTC(2026, 6, 18, 12);
const DAY_MS = 86_400_000;

describeOnEachDatabase('sent messages of several numbers', (testStore) => {
  let busy: OwnedNumber;
  let calm: OwnedNumber;
  const ids: string[] = [];

  beforeAll(async () => {
    const { store } = testStore;
    busy = await newNumber(store);
    calm = await newNumber(store, busy);
    const sent: [OwnedNumber, number, MessageState][] = [
      [calm, NOON - 2 * DAY_MS, 'read'],
      [busy, NOON - DAY_MS, 'failed'],
      [busy, NOON - DAY_MS + 1_000, 'delivered'],
      // The first and the last moment of a day.
      [busy, NOON - DAY_MS / 2, 'accepted'],
      [calm, NOON, 'sent'],
      [busy, NOON + DAY_MS / 2 - 1_000, 'sent'],
    ];
    for (const [number, at, status] of sent) ids.push(await addMessage(store, number, at, status));
    await addMessage(store, await newNumber(store), NOON, 'sent');
  });

  const found = async (filter: object) => {
    const { rows, next } = await searchSent(testStore.store, [busy.slotId, calm.slotId], {
      limit: 10,
      ...filter,
    });
    return { ids: rows.map(({ id }) => id), next };
  };

  it('are listed newest first across numbers, page by page', async () => {
    expect(await found({})).toEqual({ ids: ids.toReversed(), next: null });
    const pages: string[][] = [];
    let before: string | null = '\uffff';
    while (before !== null) {
      const page = await found({ limit: 2, before });
      pages.push(page.ids);
      before = page.next;
    }
    expect(pages.flat()).toEqual(ids.toReversed());
    expect(pages.slice(0, 3).map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  it('are filtered by state, time, and part of their ids or recipient', async () => {
    expect((await found({ status: 'failed' })).ids).toEqual([ids[1]]);
    expect((await found({ from: NOON - DAY_MS, until: NOON })).ids).toEqual([ids[3], ids[2], ids[1]]);
    expect((await found({ search: ids[2]?.toLowerCase() })).ids).toEqual([ids[2]]);
    expect((await found({ search: '15550002001' })).ids).toHaveLength(ids.length);
    expect(await found({ search: '100%' })).toEqual({ ids: [], next: null });
    expect(await searchSent(testStore.store, [], { limit: 1 })).toEqual({ rows: [], next: null });
  });
});
