import { EVENT_STREAMS_PER_ACCOUNT, EVENT_STREAMS_PER_KEY } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createStreamSlots, type Subscriber } from './stream-slots.ts';

function setUp(learnNews: () => Promise<void> = async () => {}) {
  const clock = createSteppedClock();
  let looks = 0;
  const slots = createStreamSlots({
    clock,
    learnNews() {
      looks += 1;
      return learnNews();
    },
  });
  const gone = new AbortController();
  const take = (more: Partial<Subscriber> = {}) =>
    slots.take({
      ...{ accountId: 'acc_1', holder: 'key_1', slotId: undefined, mayStay: () => true },
      signal: gone.signal,
      ...more,
    });
  /** Until everybody was looked at once more. */
  async function look(): Promise<void> {
    const before = looks;
    clock.advance(400);
    await vi.waitFor(() => expect(looks).toBe(before + 1));
    await new Promise(setImmediate);
  }
  return { slots, take, look, gone, clock, looks: () => looks };
}

test('streams stay while they may, and end with the next look when they may not', async () => {
  const { take, look } = setUp();
  let may = true;
  const [one, other] = [take({ mayStay: () => may }), take({ holder: 'key_2' })];
  await look();
  expect([one.signal.aborted, other.signal.aborted]).toEqual([false, false]);
  may = false;
  await look();
  expect([one.signal.aborted, other.signal.aborted]).toEqual([true, false]);
});

test('a stream whose right cannot be proved ends', async () => {
  const { take, look } = setUp();
  const [one, other] = [
    take({ mayStay: () => Promise.reject(new Error('no database')) }),
    take({ slotId: 'slot_1' }),
  ];
  await look();
  expect([one.signal.aborted, other.signal.aborted]).toEqual([true, false]);
});

test('when nobody can learn what was revoked, all streams end', async () => {
  const { take, look } = setUp(() => Promise.reject(new Error('no database')));
  const mayStay = vi.fn(() => true);
  const streams = [take({ mayStay }), take({ mayStay, holder: 'key_2' })];
  await look();
  expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(mayStay).not.toHaveBeenCalled();
});

test('those with one key and one number are asked about once', async () => {
  const { take, look } = setUp();
  const mayStay = vi.fn(() => false);
  const alike = [take({ mayStay }), take({ mayStay })];
  const apart = take({ slotId: 'slot_1' });
  await look();
  expect(mayStay).toHaveBeenCalledOnce();
  expect(alike.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(apart.signal.aborted).toBe(false);
});

test('a place is free again however its stream has ended', () => {
  const { take, gone, slots } = setUp();
  const streams = Array.from({ length: EVENT_STREAMS_PER_KEY }, () => take());
  expect(() => take()).toThrow('too many');
  streams[0]?.leave();
  take();
  expect(() => take()).toThrow('too many');
  gone.abort();
  // Who has gone before it is let in takes no place.
  for (let each = 0; each < 2 * EVENT_STREAMS_PER_KEY; each++) take();
  const here = new AbortController().signal;
  for (let each = 0; each < EVENT_STREAMS_PER_ACCOUNT; each++) take({ holder: `key_${each}`, signal: here });
  expect(() => take({ holder: 'another', signal: here })).toThrow('too many');
  const elsewhere = take({ accountId: 'acc_2', holder: 'theirs', signal: here });
  expect(elsewhere.signal.aborted).toBe(false);
  slots.close();
  expect(elsewhere.signal.aborted).toBe(true);
});

test('nobody looks where nobody listens', async () => {
  const { take, look, clock, looks } = setUp();
  const stream = take();
  await look();
  stream.leave();
  await look();
  const before = looks();
  for (let turn = 0; turn < 5; turn++) {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  expect(looks()).toBe(before);
  take();
  await look();
});
