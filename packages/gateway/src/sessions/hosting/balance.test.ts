import { describe, expect, it } from 'vitest';
import { balanceOf, type Load } from './balance.ts';

const loads = (...sessions: number[]): Load[] =>
  sessions.map((count, index) => ({ worker: `w${index}`, sessions: count }));
const balance = (counts: number[], total: number, isGiving = false) =>
  balanceOf('w0', loads(...counts), total, isGiving);

describe('the balance of workers', () => {
  it('lets each worker take up to its share, rounded up so that none is left over', () => {
    expect(balance([0], 10)).toEqual({ room: 10, excess: 0 });
    expect(balance([0, 0, 0], 10)).toEqual({ room: 4, excess: 0 });
    expect(balance([4, 0, 0], 10)).toEqual({ room: 0, excess: 0 });
    expect(balance([3, 4, 3], 10)).toEqual({ room: 1, excess: 0 });
  });

  it('moves a few at a time from a loaded worker to an idle one, until both have their share', () => {
    expect(balance([100, 0], 100)).toEqual({ room: 0, excess: 8 });
    expect(balance([92, 8], 100)).toEqual({ room: 0, excess: 8 });
    expect(balance([54, 46], 100, true)).toEqual({ room: 0, excess: 4 });
    expect(balance([50, 50], 100, true)).toEqual({ room: 0, excess: 0 });
  });

  it('keeps differences caused by pairing', () => {
    expect(balance([60, 40], 100)).toEqual({ room: 0, excess: 0 });
    expect(balance([3, 0, 0], 3)).toEqual({ room: 0, excess: 0 });
  });

  it('reaches the same balance from any start, and moves no session twice', () => {
    for (const beginning of [
      [200, 0, 0],
      [90, 90, 0],
      [17, 0],
      [1_000, 10, 10, 0],
    ]) {
      const counts = [...beginning];
      const total = counts.reduce((sum, count) => sum + count, 0);
      const giving = counts.map(() => false);
      let moves = 0;
      for (let step = 0; step < 1_000; step++) {
        for (const index of counts.keys()) {
          const { excess } = balanceOf(`w${index}`, loads(...counts), total, giving[index] ?? false);
          giving[index] = excess > 0;
          counts[index] = (counts[index] ?? 0) - excess;
          moves += excess;
          let free = excess;
          for (const taker of counts.keys()) {
            const taken = Math.min(balanceOf(`w${taker}`, loads(...counts), total, false).room, free);
            counts[taker] = (counts[taker] ?? 0) + taken;
            free -= taken;
          }
          expect(free).toBe(0);
        }
      }
      const share = Math.ceil(total / counts.length);
      expect(Math.max(...counts)).toBe(share);
      expect(moves).toBe(beginning.reduce((sum, count) => sum + Math.max(count - share, 0), 0));
    }
  });
});
