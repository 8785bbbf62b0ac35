import { beforeEach, expect, test, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { endOfLog } from '../event-log-queries.ts';
import { HEALTH_EVENT, textEvent } from '../testing/index.ts';
import { bodiesByKey, eventAt, type ReceivedFilter, searchReceived } from './lookup-queries.ts';

const SECOND = 1_000;
const PATIENCE = { timeout: 15_000, interval: 20 };

describeOnEachDatabase('looking into the log', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  let store: Store;
  let harness: TestHarness;
  let number: OwnedNumber;

  beforeEach(async () => {
    store = testStore.store;
    harness = createHarness(store);
    number = await harness.newNumber();
  });

  const emit = (...ids: string[]) =>
    harness.log.emit(ids.map((id) => ({ ...number, key: id, event: textEvent(id) })));
  /** Again until it is so: PostgreSQL shows an event once older transactions are over, also those of other tests. */
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, PATIENCE);

  test('finds an event at its place, for its account alone and without its content', async () => {
    await emit('A', 'B');
    const place = await vi.waitFor(async () => {
      const end = await endOfLog(store, number.accountId);
      expect(await eventAt(store, number.accountId, end)).toMatchObject({ event_id: 'B' });
      return end;
    }, PATIENCE);
    const found = await eventAt(store, number.accountId, place);
    expect(found).toMatchObject({
      ...place,
      slot_id: number.slotId,
      kind: 'message',
      at: harness.clock.now(),
    });
    expect(JSON.parse(found?.body ?? '')).toMatchObject({ text: '[redacted: 5 bytes]' });
    const stranger = await harness.newNumber();
    expect(await eventAt(store, stranger.accountId, place)).toBeUndefined();
    expect(await eventAt(store, number.accountId, { ...place, seq: place.seq + 1 })).toBeUndefined();
    expect(await eventAt(store, number.accountId, { ...place, tx: place.tx + 1 })).toBeUndefined();
  });

  test('finds the events of a number whose keys share a prefix, in their order', async () => {
    await emit('receipt/M2/b', 'receipt/M1/b', 'receipt/M1/a', 'receipt/M10/a', 'receipt/M', 'status/M1/');
    const stranger = await harness.newNumber();
    await harness.log.emit([{ ...stranger, key: 'receipt/M1/c', event: textEvent('C') }]);
    await eventually(async () => {
      const bodies = await bodiesByKey(store, number.slotId, 'receipt/M1/');
      expect(bodies.map((body) => JSON.parse(body).message_id)).toEqual(['receipt/M1/a', 'receipt/M1/b']);
    });
    expect(await bodiesByKey(store, number.slotId, 'nothing/')).toEqual([]);
  });

  test('returns no more of them than readers show', async () => {
    await emit(...Array.from({ length: 2_001 }, (_, place) => `many/${place}`));
    await eventually(async () => {
      expect(await bodiesByKey(store, number.slotId, 'many/')).toHaveLength(2_000);
    });
  });

  const search = (more: Partial<ReceivedFilter> = {}) =>
    searchReceived(store, { accountId: number.accountId, slotId: undefined, limit: 10, ...more });
  const idsOf = async (more: Partial<ReceivedFilter> = {}) =>
    (await search(more)).rows.map(({ event_id }) => event_id);

  test('lists the messages that came in, the newest first and page by page', async () => {
    await emit('A', 'B', 'C');
    await eventually(async () => expect(await idsOf()).toEqual(['C', 'B', 'A']));
    const first = await search({ limit: 2 });
    expect(first.rows.map(({ event_id }) => event_id)).toEqual(['C', 'B']);
    expect(first.next).toEqual({ tx: first.rows[1]?.tx, seq: first.rows[1]?.seq });
    const second = await search({ limit: 2, before: first.next ?? undefined });
    expect(second.rows.map(({ event_id }) => event_id)).toEqual(['A']);
    expect(second.next).toBeNull();
  });

  test('lists nothing that is no message, that the number wrote itself or that is another’s', async () => {
    const sibling = { ...(await harness.newNumber()), accountId: number.accountId };
    const stranger = await harness.newNumber();
    await harness.log.emit([
      { ...stranger, key: 'stranger', event: textEvent('stranger') },
      { ...number, key: 'own', event: textEvent('own'), extension: 'own_messages' },
      { ...number, key: 'health', event: HEALTH_EVENT },
      { ...number, key: 'p', event: { kind: 'presence', session_id: 'x', contact_jid: 'y', online: true } },
      { ...number, key: 'A', event: textEvent('A') },
    ]);
    // On its own: within a batch events stand in the order of their numbers.
    await harness.log.emit([{ ...sibling, key: 'S', event: textEvent('S') }]);
    await eventually(async () => expect(await idsOf()).toEqual(['S', 'A']));
    expect(await idsOf({ slotId: sibling.slotId })).toEqual(['S']);
  });

  test('lists those of a time, or those that say what is searched for', async () => {
    const begun = harness.clock.now();
    for (const id of ['EARLY', 'MIDDLE', 'LATE']) {
      await emit(id);
      harness.clock.advance(SECOND);
    }
    await eventually(async () => expect(await idsOf()).toHaveLength(3));
    expect(await idsOf({ from: begun + SECOND })).toEqual(['LATE', 'MIDDLE']);
    expect(await idsOf({ until: begun + SECOND })).toEqual(['EARLY']);
    expect(await idsOf({ from: begun + SECOND, until: begun + 2 * SECOND })).toEqual(['MIDDLE']);
    expect(await idsOf({ search: 'iddl' })).toEqual(['MIDDLE']);
    expect(await idsOf({ search: '15550002001' })).toHaveLength(3);
    // Its words are not there to be searched.
    expect(await idsOf({ search: 'Hello' })).toEqual([]);
  });

  test('looks at a bounded part of the log for a page, and says where to go on', async () => {
    await emit('OLDEST', 'OLD');
    const { accountId, slotId } = number;
    const event = { kind: 'presence', session_id: 'x', contact_jid: 'y', online: true } as const;
    // The message before the last 19,999 is the last that is looked at.
    for (let made = 0; made < 19_999; made += 4_000)
      await harness.log.emit(
        Array.from({ length: Math.min(4_000, 19_999 - made) }, (_, place) => ({
          ...{ accountId, slotId, event },
          key: `p${made + place}`,
        })),
      );
    const first = await vi.waitFor(async () => {
      const page = await search();
      expect(page.rows.map(({ event_id }) => event_id)).toEqual(['OLD']);
      return page;
    }, PATIENCE);
    expect(first.next).toEqual({ tx: first.rows[0]?.tx, seq: first.rows[0]?.seq });
    const rest = await search({ before: first.next ?? undefined });
    expect(rest.rows.map(({ event_id }) => event_id)).toEqual(['OLDEST']);
    expect(rest.next).toBeNull();
  });
}
