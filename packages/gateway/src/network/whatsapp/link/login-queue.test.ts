import { describe, expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createLoginQueue } from './login-queue.ts';

/** A hundred numbers that reconnect at once. */
function setUp({ isBusy }: { isBusy: boolean }) {
  const clock = createSteppedClock();
  const queue = createLoginQueue({ clock, isBusy: () => isBusy });
  const begun: number[] = [];
  const turns = Array.from({ length: 100 }, (_, number) => queue.enter(() => void begun.push(number)));
  return { clock, queue, begun, turns };
}

describe('the login queue', () => {
  test('starts a handful at once', () => {
    const { begun, turns } = setUp({ isBusy: false });
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(turns.slice(0, 9).map((turn) => turn === undefined)).toEqual([...Array(8).fill(true), false]);
  });

  test.each([
    ['fifty a second', false, 50],
    ['half as many while the thread is busy', true, 25],
  ])('starts the others in order, %s', (_words, isBusy, expected) => {
    const { clock, begun } = setUp({ isBusy });
    clock.advance(1_000);
    expect(begun).toEqual(Array.from({ length: 8 + expected }, (_, number) => number));
  });

  test('starts all in the end, and a handful at once again after that', () => {
    const { clock, queue, begun } = setUp({ isBusy: true });
    clock.advance(60_000);
    expect(begun).toHaveLength(100);
    for (let number = 100; number < 120; number++) queue.enter(() => void begun.push(number));
    expect(begun).toHaveLength(108);
  });

  test('skips entries that have left', () => {
    const { clock, begun, turns } = setUp({ isBusy: false });
    for (const turn of turns.slice(0, 99)) turn?.cancel();
    clock.advance(1_000);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 99]);
  });
});
