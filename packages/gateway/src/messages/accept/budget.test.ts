import { describe, expect, it } from 'vitest';
import type { SendingTerms } from '#accounts';
import { createSteppedClock, type TravelClock } from '#kernel';
import { useStore } from '#testing';
import { commandModules, newNumber } from '../testing/rows.ts';
import { createSendBudget } from './budget.ts';

function travelTo(clock: TravelClock, time: string): void {
  clock.advance(Date.parse(time) - clock.now());
}

describe('the budget of a number', () => {
  const test = useStore('SQLite', 'shared by all tests', commandModules);

  async function openBudget(changes: Partial<SendingTerms> = {}, start = '2026-01-31T10:00:00Z') {
    const clock = createSteppedClock(Date.parse(start));
    const number = await newNumber(test.store);
    const terms: SendingTerms = {
      plan: 'max',
      status: 'active',
      sendsPerMinute: 30,
      sendsPerPeriod: 3,
      activatedAt: clock.now(),
      ...changes,
    };
    const budget = createSendBudget({ store: test.store, clock, terms: { sendingTerms: () => terms } });
    return { clock, spend: () => budget.spend(number) };
  }

  it('reports the remaining rate', async () => {
    const { spend } = await openBudget();
    expect(await spend()).toEqual({ limit: 5, remaining: 4, resetSeconds: 1 });
  });

  it('is refused with the texts of the specification, and with the wait where there is one', async () => {
    const { spend } = await openBudget({ sendsPerPeriod: 100 });
    for (let sent = 0; sent < 5; sent++) await spend();
    await expect(spend()).rejects.toMatchObject({
      message: 'session send rate exceeded',
      status: 429,
      retryAfterSeconds: 1,
    });
  });

  it('is refused to a number that is not active', async () => {
    const { spend } = await openBudget({ status: 'inactive' });
    await expect(spend()).rejects.toMatchObject({ code: 'device_not_active' });
  });

  it('renews its quota monthly from its first day, also in months without that day', async () => {
    const { clock, spend } = await openBudget();
    const exhausted = { message: 'message quota exhausted', status: 429, retryAfterSeconds: undefined };
    for (const [lastMoment, renewal] of [
      ['2026-02-28T09:59:59.999Z', '2026-02-28T10:00:00Z'],
      ['2026-03-31T09:59:59.999Z', '2026-03-31T10:00:00Z'],
      ['2026-04-30T09:59:59.999Z', '2026-04-30T10:00:00Z'],
      ['2026-05-31T09:59:59.999Z', '2026-05-31T10:00:00Z'],
    ] as const) {
      for (let sent = 0; sent < 3; sent++) await spend();
      await expect(spend()).rejects.toMatchObject(exhausted);
      travelTo(clock, lastMoment);
      await expect(spend()).rejects.toMatchObject(exhausted);
      travelTo(clock, renewal);
    }
    await spend();
  });

  it('does not carry over the rest of a month: the next begins with the same quota', async () => {
    const { clock, spend } = await openBudget();
    await spend();
    travelTo(clock, '2026-02-28T10:00:00Z');
    for (let sent = 0; sent < 3; sent++) await spend();
    await expect(spend()).rejects.toMatchObject({ code: 'quota_exhausted' });
  });
});
