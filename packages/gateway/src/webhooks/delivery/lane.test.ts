import { expect, test } from 'vitest';
import { type LoadedDelivery, START_OF_LANE } from '#events';
import { LANE_CONCURRENCY, Lane } from './lane.ts';

const END = { dueAt: 7, seq: 9 };
const HOUR = 3_600_000;

function newLane(): Lane {
  const lane = new Lane({ accountId: 'account', url: 'https://receiver.example/' }, { fraction: () => 0.5 });
  lane.hasNews = true;
  return lane;
}

function delivery(seq: number, chat?: string, dueAt = 0): LoadedDelivery {
  return {
    delivery: {
      ...{ seq, dueAt, webhookId: 'webhook', eventSeq: seq, eventId: `event-${seq}`, kind: 'message' },
      ...{ category: 'messages', url: 'https://receiver.example/', size: 100, tries: 0, attempts: '[]' },
    },
    chat,
    payload: '{}',
  };
}

function deliveries(count: number, from = 1, chat?: string): LoadedDelivery[] {
  return Array.from({ length: count }, (_, index) => delivery(from + index, chat));
}

/** Reads this window at this time, with more behind it. */
function read(lane: Lane, now: number, found: readonly LoadedDelivery[]): void {
  lane.beginReading(now, 32);
  lane.endReading({ deliveries: found, end: END });
}

function readAll(lane: Lane, now: number, found: readonly LoadedDelivery[]): void {
  lane.beginReading(now, 32);
  lane.endReading({ deliveries: found, end: undefined });
}

function start(lane: Lane, count: number): LoadedDelivery[] {
  return Array.from({ length: count }, () => lane.waiting.start()).filter((each) => each !== undefined);
}

const seqs = (loaded: readonly LoadedDelivery[]): number[] => loaded.map(({ delivery: { seq } }) => seq);
const inHand = (lane: Lane): readonly number[] => {
  const range = lane.beginReading(HOUR, 1);
  lane.endReading(undefined);
  return range.inHand;
};

test('reads when its window is half empty, one reading at a time', () => {
  const lane = newLane();
  expect(lane.roomFor(0, false)).toBe(32);
  lane.beginReading(0, 32);
  expect(lane.roomFor(0, false)).toBe(0);
  expect(lane.endReading({ deliveries: deliveries(17), end: END })).toBe(1_700);
  expect(lane.roomFor(0, false)).toBe(0);
  start(lane, 1);
  expect(lane.roomFor(0, false)).toBe(16);
});

test('reads nothing when nothing more is due, until a scan finds news', () => {
  const lane = newLane();
  readAll(lane, 0, []);
  expect(lane.mayHaveMore).toBe(false);
  expect(lane.roomFor(HOUR, false)).toBe(0);
  lane.hasNews = true;
  expect(lane.roomFor(HOUR, false)).toBe(32);
});

test('reads on behind the last window, and keeps news of a scan that came meanwhile', () => {
  const lane = newLane();
  const first = lane.beginReading(0, 32);
  expect(first).toMatchObject({ after: START_OF_LANE, now: 0, limit: 32, inHand: [] });
  expect(lane.hasNews).toBe(false);
  lane.endReading({ deliveries: deliveries(2), end: END });
  lane.hasNews = true;
  expect(lane.beginReading(1, 32)).toMatchObject({ after: END, inHand: [1, 2] });
  expect(lane.hasNews).toBe(true);
});

test('reads as few as may be under way while memory is short', () => {
  const lane = newLane();
  expect(lane.roomFor(0, true)).toBe(LANE_CONCURRENCY);
  read(lane, 0, deliveries(20, 1, 'chat'));
  start(lane, 1);
  expect(lane.roomFor(0, true)).toBe(0);
});

test('reads more at once while its window is emptied within a second, and less when it is not', () => {
  const lane = newLane();
  const windows = [0, 999, 1_998, 2_997, 3_997, 4_997, 5_997].map((now) => {
    read(lane, now, []);
    return lane.roomFor(now, false);
  });
  expect(windows).toEqual([32, 64, 128, 128, 64, 32, 32]);
});

test('does not read for ever ahead of what is written', () => {
  const lane = newLane();
  for (let from = 1; from <= 64; from += 16) {
    expect(lane.roomFor(from * HOUR, false)).toBe(32);
    read(lane, from * HOUR, deliveries(16, from));
    start(lane, 16);
  }
  expect(lane.roomFor(100 * HOUR, false)).toBe(32);
  lane.waiting.add([delivery(100)]);
  expect(lane.roomFor(100 * HOUR, false)).toBe(0);
  lane.waiting.start();
  lane.release(delivery(1));
  expect(lane.roomFor(100 * HOUR, false)).toBe(32);
});

test('looks past deliveries that wait behind others of their chat', () => {
  const lane = newLane();
  read(lane, 0, deliveries(20, 1, 'chat'));
  expect(lane.roomFor(0, false)).toBe(0);
  start(lane, 1);
  expect(lane.roomFor(0, false)).toBe(32);
});

test('looks past them once a second where all was read, and not with 512 in hand', () => {
  const lane = newLane();
  readAll(lane, 0, deliveries(511, 1, 'chat'));
  start(lane, 1);
  lane.hasNews = true;
  expect(lane.roomFor(999, false)).toBe(0);
  expect(lane.roomFor(1_000, false)).toBe(32);
  readAll(lane, 1_000, deliveries(1, 600, 'chat'));
  lane.hasNews = true;
  expect(lane.roomFor(HOUR, false)).toBe(0);
});

test('counts what is written during a reading as in hand until the reading ends', () => {
  const lane = newLane();
  read(lane, 0, deliveries(2));
  const [first, second] = start(lane, 2);
  if (first) lane.release(first);
  expect(lane.beginReading(1, 32).inHand).toEqual([2]);
  if (second) lane.release(second);
  // The reading may still have seen it.
  expect(lane.isIdle(HOUR)).toBe(false);
  lane.endReading({ deliveries: [delivery(3)], end: undefined });
  expect(inHand(lane)).toEqual([3]);
});

test('unloads what waits, to be read again from the beginning', () => {
  const lane = newLane();
  read(lane, 0, deliveries(3));
  start(lane, 1);
  expect(lane.unload()).toBe(200);
  expect([lane.waiting.size, lane.hasNews]).toEqual([0, true]);
  expect(lane.beginReading(0, 32)).toMatchObject({ after: START_OF_LANE, inHand: [1] });
});

test('unloads nothing where nothing waits', () => {
  const lane = newLane();
  readAll(lane, 0, []);
  expect(lane.unload()).toBe(0);
  expect(lane.hasNews).toBe(false);
});

test('leaves what a reading brings after an unloading, and takes what the next one brings', () => {
  const lane = newLane();
  read(lane, 0, deliveries(1));
  lane.beginReading(0, 32);
  lane.unload();
  expect(lane.endReading({ deliveries: deliveries(4, 2), end: END })).toBe(0);
  expect(lane.waiting.size).toBe(0);
  expect(lane.beginReading(0, 32)).toMatchObject({ after: START_OF_LANE, inHand: [] });
  lane.endReading({ deliveries: deliveries(4), end: END });
  expect(lane.waiting.size).toBe(4);
});

test('takes what was queued this moment where it has read all before it, once', () => {
  const lane = newLane();
  expect(lane.take(delivery(1), 0)).toBe(false);
  lane.beginReading(0, 32);
  expect(lane.take(delivery(1), 0)).toBe(false);
  lane.endReading({ deliveries: [], end: undefined });
  for (let seq = 1; seq <= 32; seq++) expect(lane.take(delivery(seq), 0)).toBe(true);
  expect(lane.take(delivery(32), 0)).toBe(true);
  expect(lane.take(delivery(33), 0)).toBe(false);
  expect(lane.waiting.size).toBe(32);
});

test('starts what is ready, as many at once as it may', () => {
  const lane = newLane();
  expect(lane.mayStart(0, 1)).toBe(false);
  lane.waiting.add(deliveries(2));
  expect(lane.mayStart(0, 1)).toBe(true);
  lane.underWay = 1;
  expect([lane.mayStart(0, 1), lane.mayStart(0, 2)]).toEqual([false, true]);
});

test('is idle three seconds after it was wanted, with nothing in hand, under way or worth remembering', () => {
  const quiet = (change: (lane: Lane) => void, now = HOUR + 3_000): boolean => {
    const lane = newLane();
    lane.wantedAt = HOUR;
    change(lane);
    return lane.isIdle(now);
  };
  expect(quiet(() => {})).toBe(true);
  expect(quiet(() => {}, HOUR + 2_999)).toBe(false);
  expect(quiet((lane) => lane.beginReading(0, 1))).toBe(false);
  expect(quiet((lane) => read(lane, 0, deliveries(1)))).toBe(false);
  expect(
    quiet((lane) => {
      lane.leasing = true;
    }),
  ).toBe(false);
  expect(quiet((lane) => lane.breaker.failed(HOUR))).toBe(false);
});

test('starts one delivery of a chat at a time, each at its place among the others', () => {
  const { waiting } = newLane();
  waiting.add([
    delivery(1, 'a'),
    delivery(2, 'a', 5),
    delivery(3, 'b', 5),
    delivery(4, undefined, 4),
    delivery(5, 'a', 4),
  ]);
  expect([waiting.size, waiting.ready]).toEqual([5, 3]);
  const [first] = [waiting.start()];
  expect(first?.delivery.seq).toBe(1);
  if (first) waiting.over(first);
  expect([waiting.size, waiting.ready]).toEqual([4, 3]);
  const rest = [waiting.start(), waiting.start(), waiting.start(), waiting.start()];
  expect(rest.map((each) => each?.delivery.seq)).toEqual([2, 3, 4, undefined]);
});

test('puts a delivery that becomes ready before later ones', () => {
  const { waiting } = newLane();
  waiting.add([delivery(1, 'a'), delivery(3, 'a', 2), delivery(2, undefined, 3), delivery(4, undefined, 2)]);
  const first = waiting.start();
  if (first) waiting.over(first);
  const order = [waiting.start(), waiting.start(), waiting.start()].map((each) => each?.delivery.seq);
  expect(order).toEqual([3, 2, 4]);
});

test('keeps a chat taken by its attempt under way when the rest is cleared', () => {
  const { waiting } = newLane();
  waiting.add([...deliveries(2, 1, 'a'), ...deliveries(2, 3, 'b')]);
  const first = waiting.start();
  expect(seqs(waiting.clear()).sort()).toEqual([2, 3, 4]);
  expect([waiting.size, waiting.ready]).toEqual([0, 0]);
  waiting.add([delivery(2, 'a'), delivery(3, 'b')]);
  expect([waiting.size, waiting.ready]).toEqual([2, 1]);
  expect(waiting.start()?.delivery.seq).toBe(3);
  if (first) waiting.over(first);
  expect(waiting.start()?.delivery.seq).toBe(2);
});
