import { describe, expect, it } from 'vitest';
import { createIds, messageIdAt } from './ids.ts';
import { createSeededRandom, systemRandom } from './random.ts';
import { createSteppedClock } from './time/clock.ts';

describe('ids', () => {
  const clock = createSteppedClock();
  const ids = createIds({ clock, random: createSeededRandom(1) });

  it('sort by creation time', () => {
    const made: string[] = [];
    for (let i = 0; i < 200; i++) {
      made.push(ids.delivery());
      clock.advance(1);
    }
    expect(made.toSorted()).toEqual(made);
  });

  it('have a prefix for their kind', () => {
    expect(ids.slot()).toMatch(/^slot_[0-9a-z]{24}$/);
    expect(ids.webhook()).toMatch(/^wh_[0-9a-z]{24}$/);
    expect(ids.key()).toMatch(/^[0-9a-z]{24}$/);
  });

  it('have the network’s own format for messages, and sort by creation', () => {
    const made: string[] = [];
    for (let i = 0; i < 3_000; i++) {
      made.push(ids.message());
      if (i % 3 === 0) clock.advance(1);
    }
    for (const id of made) expect(id).toMatch(/^3EB0[0-9A-F]{18}$/);
    expect(made.toSorted()).toEqual(made);
  });

  it('of messages begin with the start of their second', () => {
    expect(ids.message() >= messageIdAt(clock.now())).toBe(true);
    clock.advance(1_000 - (clock.now() % 1_000) - 1);
    const last = ids.message();
    clock.advance(1);
    expect(last < messageIdAt(clock.now())).toBe(true);
  });

  it('of messages differ between two processes that create them at the same moment', () => {
    const processes = [1, 2].map(() => createIds({ clock, random: systemRandom }));
    const made = processes.flatMap((process) => Array.from({ length: 200 }, () => process.message()));
    expect(new Set(made).size).toBe(400);
  });

  it('do not repeat', () => {
    const real = createIds({ clock, random: systemRandom });
    const made = new Set(Array.from({ length: 20_000 }, () => real.message()));
    expect(made.size).toBe(20_000);
  });
});
