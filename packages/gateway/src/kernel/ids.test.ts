import { describe, expect, it } from 'vitest';
import { createSteppedClock } from './clock.ts';
import { createIds } from './ids.ts';
import { createSeededRandom, systemRandom } from './random.ts';

describe('ids', () => {
  const clock = createSteppedClock();
  const ids = createIds({ clock, random: createSeededRandom(1) });

  it('sort by the time they were made', () => {
    const made: string[] = [];
    for (let i = 0; i < 200; i++) {
      made.push(ids.delivery());
      clock.advance(1);
    }
    expect(made.toSorted()).toEqual(made);
  });

  it('say what they name', () => {
    expect(ids.slot()).toMatch(/^slot_[0-9a-z]{24}$/);
    expect(ids.webhook()).toMatch(/^wh_[0-9a-z]{24}$/);
    expect(ids.key()).toMatch(/^[0-9a-z]{24}$/);
  });

  it('have the network’s own shape for messages, ordered by second', () => {
    const first = ids.message();
    clock.advance(1_000);
    const second = ids.message();
    expect(first).toMatch(/^3EB0[0-9A-F]{18}$/);
    expect(first < second).toBe(true);
  });

  it('do not repeat', () => {
    const real = createIds({ clock, random: systemRandom });
    const made = new Set(Array.from({ length: 20_000 }, () => real.message()));
    expect(made.size).toBe(20_000);
  });
});
