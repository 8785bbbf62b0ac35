import { beforeEach, expect, test, vi } from 'vitest';
import { createFeed, createPayloadReader, type Feed, START_OF_LOG } from '#events';
import { textEvent } from '#events/testing';
import { createSteppedClock } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { createQuarantine, dropExpired, startEventRetention } from './quarantine.ts';
import { listQuarantine } from './quarantine-queries.ts';
import { message } from './testing/sink.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const PATIENCE = { timeout: 15_000, interval: 20 };

describeOnEachDatabase('forgetting events', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let feed: Feed;
  let number: OwnedNumber;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    const readPayloads = createPayloadReader({ ...harness, log: { error: () => {} } });
    feed = createFeed({ ...harness, readPayloads });
    number = await harness.newNumber();
  });

  const emit = (id: string) => harness.log.emit([{ ...number, key: id, event: textEvent(id) }]);
  const read = async () => {
    const filter = { accountId: number.accountId, slotId: undefined, kind: undefined, extensions: [] };
    return (await feed.page(filter, START_OF_LOG, 100)).events;
  };
  /** PostgreSQL shows an event once older transactions are over, also those of other tests. */
  const shown = (count: number) => vi.waitFor(async () => expect(await read()).toHaveLength(count), PATIENCE);
  const forget = () => dropExpired(harness);

  test('happens after three days, and after minutes for what is fleeting', async () => {
    await emit('A');
    const typing = {
      kind: 'typing',
      session_id: 'x',
      sender_jid: 'y',
      chat_jid: 'y',
      is_group: false,
      typing: true,
      media: 'text',
    } as const;
    await harness.log.emit([{ ...number, key: 't', event: typing }]);
    harness.clock.advance(6 * MINUTE);
    await shown(2);
    await forget();
    expect((await read()).map(({ kind }) => kind)).toEqual(['message']);
    harness.clock.advance(3 * DAY);
    await forget();
    expect(await read()).toEqual([]);
  });

  test('takes as many steps as there is work for, and none once it is to stop', async () => {
    const ids = Array.from({ length: 1_001 }, (_, place) => `E${place}`);
    await harness.log.emit(ids.map((key) => ({ ...number, key, event: textEvent(key) })));
    const left = async () => {
      const { read } = testStore.store;
      const events = read.selectFrom('events').select('seq').where('account_id', '=', number.accountId);
      return (await events.execute()).length;
    };
    harness.clock.advance(3 * DAY);
    await dropExpired(harness, AbortSignal.abort());
    expect(await left()).toBe(1_001);
    await forget();
    expect(await left()).toBe(0);
  });

  test('happens after thirty days to what could not be stored', async () => {
    const quarantine = createQuarantine({ ...harness, log: { warn: () => {} } });
    await quarantine.keep(number, message({ kind: 'text', text: 'x' }), new Error('refused'));
    const entries = () => listQuarantine(testStore.store, { account_id: number.accountId, limit: 10 });
    harness.clock.advance(30 * DAY - 1);
    await forget();
    expect(await entries()).toHaveLength(1);
    harness.clock.advance(1);
    await forget();
    expect(await entries()).toEqual([]);
  });

  test('happens at the start and once a minute', async () => {
    await emit('A');
    await shown(1);
    const waits: number[] = [];
    const clock = createSteppedClock(harness.clock.now() + 3 * DAY);
    const { sleep } = clock;
    clock.sleep = (ms, signal) => {
      waits.push(ms);
      return sleep.call(clock, ms, signal);
    };
    const job = startEventRetention({ store: testStore.store, clock, log: { debug() {}, error() {} } });
    await vi.waitFor(async () => expect(await read()).toEqual([]), PATIENCE);
    await vi.waitFor(() => expect(waits).toEqual([MINUTE]), PATIENCE);
    clock.advance(MINUTE);
    await vi.waitFor(() => expect(waits).toEqual([MINUTE, MINUTE]), PATIENCE);
    await job.stop();
  });
}
