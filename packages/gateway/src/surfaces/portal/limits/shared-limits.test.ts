import { beforeEach, expect, it } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { createLimiter, type LimitCharge, type Limiter } from './shared-limits.ts';

describeOnEachDatabase('a limit', (testStore) => {
  let clock: TravelClock;
  let limiter: Limiter;
  let draw: LimitCharge;
  let made = 0;

  beforeEach(() => {
    clock = createSteppedClock();
    limiter = createLimiter({ store: testStore.store, clock, family: 'people' });
    draw = { name: `test ${++made}`, limit: { intervalMs: 1_000, burst: 3 } };
  });

  it('allows a burst, then returns the time to wait', async () => {
    for (let i = 0; i < 3; i++) expect(await limiter.take([draw])).toBe(0);
    expect(await limiter.take([draw])).toBe(1_000);
    clock.advance(1_000);
    expect(await limiter.take([draw])).toBe(0);
    expect(await limiter.take([draw])).toBe(1_000);
  });

  it('takes all requested limits or none', async () => {
    const scarce = { name: `${draw.name} scarce`, limit: { intervalMs: 5_000, burst: 1 } };
    expect(await limiter.take([draw, scarce])).toBe(0);
    expect(await limiter.take([draw, scarce])).toBe(5_000);
    expect(await limiter.take([draw])).toBe(0);
    expect(await limiter.take([draw])).toBe(0);
    expect(await limiter.take([draw])).toBe(1_000);
  });

  it('counts without refusing, and decays at the rate of the limit', async () => {
    const counted = [];
    for (let i = 0; i < 5; i++) counted.push(await limiter.count(draw));
    expect(counted).toEqual([1, 2, 3, 3, 3]);
    clock.advance(2_000);
    expect(await limiter.count(draw)).toBe(2);
    await limiter.giveBack([draw]);
    expect(await limiter.count(draw)).toBe(2);
  });

  it('does not count a reversed charge', async () => {
    for (let i = 0; i < 10; i++) {
      expect(await limiter.take([draw])).toBe(0);
      await limiter.giveBack([draw]);
    }
  });

  it('holds under concurrent calls of two processes', async () => {
    const other = createLimiter({ store: await testStore.openAgain(), clock, family: 'people' });
    const asked = Array.from({ length: 12 }, (_, i) => (i % 2 ? limiter : other).take([draw]));
    const taken = (await Promise.all(asked)).filter((wait) => wait === 0);
    expect(taken).toHaveLength(3);
  });

  it('keeps no row of a full limit', async () => {
    const rows = () =>
      testStore.store.read
        .selectFrom('portal_limits')
        .select('name')
        .where('name', 'like', `%/${draw.name}`)
        .execute();
    await limiter.take([draw]);
    expect(await rows()).toHaveLength(1);
    clock.advance(60_000);
    await limiter.take([{ ...draw, name: `${draw.name} other` }]);
    expect(await rows()).toHaveLength(0);
  });
});
