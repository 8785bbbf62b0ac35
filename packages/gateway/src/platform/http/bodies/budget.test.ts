import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { type BodyHolder, createBodyBudget } from './budget.ts';

const MIB = 1024 * 1024;
const ada: BodyHolder = { kind: 'account', id: 'acc_ada' };
const eve: BodyHolder = { kind: 'account', id: 'acc_eve' };
const stranger = (id: string): BodyHolder => ({ kind: 'anonymous', id });

function budgetOf(maxBytes: number) {
  const lines: object[] = [];
  const machineClock = createSteppedClock();
  const log = { warn: (fields: object) => void lines.push(fields) };
  return { budget: createBodyBudget({ maxBytes, log, machineClock }), lines, machineClock };
}

describe('the memory for bodies', () => {
  it('is released completely with every request', () => {
    const { budget } = budgetOf(8 * MIB);
    const charges = [ada, eve, stranger('192.0.2.1')].map((holder) => budget.charge(holder));
    for (const charge of charges) for (const piece of [1, 2, 3]) expect(charge.add(piece)).toBeUndefined();
    expect(budget.held).toBe(18);
    for (const charge of charges) charge.release();
    expect(budget.held).toBe(0);
    for (const charge of charges) charge.release();
    expect(budget.held).toBe(0);
  });

  it('is given to one account until as much is left for all others', () => {
    const { budget } = budgetOf(8 * MIB);
    const charges = Array.from({ length: 4 }, () => budget.charge(ada));
    for (const charge of charges) expect(charge.add(MIB)).toBeUndefined();
    expect(budget.charge(ada).add(1)).toMatchObject({ code: 'too_many_own_bodies', status: 429 });
    expect(budget.charge(eve).add(2 * MIB)).toBeUndefined();
    expect(budget.charge(eve).add(1)).toMatchObject({ code: 'too_many_own_bodies' });
    charges[0]?.release();
    expect(budget.charge(ada).add(1)).toMatchObject({ code: 'too_many_own_bodies' });
    charges[1]?.release();
    expect(budget.charge(ada).add(1)).toBeUndefined();
  });

  it('always has something left, however many holders take their share', () => {
    const { budget } = budgetOf(8 * MIB);
    for (let each = 0; each < 200; each++) {
      const charge = budget.charge({ kind: 'account', id: `acc_${each}` });
      while (!charge.add(4_096)) {}
    }
    expect(budget.charge(ada).add(16)).toBeUndefined();
  });

  it('is refused beyond its limit, for every holder', () => {
    const { budget } = budgetOf(8 * MIB);
    expect(budget.charge(ada).add(8 * MIB + 1)).toMatchObject({
      code: 'too_many_bodies',
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(budget.held).toBe(0);
    expect(budget.refused).toEqual({ all: 1, share: 0 });
  });

  it('gives clients without credentials an eighth, and one address half of that', () => {
    const { budget } = budgetOf(64 * MIB);
    const one = budget.charge(stranger('192.0.2.1'));
    expect(one.add(4 * MIB)).toBeUndefined();
    expect(one.add(1)).toMatchObject({ code: 'too_many_own_bodies' });
    for (let each = 2; each < 60; each++) {
      const charge = budget.charge(stranger(`192.0.2.${each}`));
      while (!charge.add(4_096)) {}
    }
    expect(budget.held).toBeLessThanOrEqual(8 * MIB);
    expect(budget.charge(ada).add(28 * MIB)).toBeUndefined();
  });

  it('logs refusals at most once per interval', () => {
    const { budget, lines, machineClock } = budgetOf(8 * MIB);
    const charge = budget.charge(ada);
    for (let each = 0; each < 1_000; each++) charge.add(9 * MIB);
    expect(lines).toEqual([
      {
        reason: 'all',
        callers: 'account',
        heldBytes: 0,
        maxBytes: 8 * MIB,
        refusedSinceStart: { all: 1, share: 0 },
      },
    ]);
    machineClock.advance(10_000);
    charge.add(9 * MIB);
    expect(lines[1]).toMatchObject({ refusedSinceStart: { all: 1_001 } });
    expect(lines).toHaveLength(2);
  });
});
