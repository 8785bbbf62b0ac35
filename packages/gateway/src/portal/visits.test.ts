import { beforeEach, expect, it } from 'vitest';
import { createAccount } from '#accounts';
import { createIds, createSteppedClock, systemRandom, type TravelClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { createVisits, LIFETIMES, type Visits } from './visits.ts';

const HOUR_MS = 3_600_000;

describeOnEachDatabase('a visit', (testStore) => {
  let clock: TravelClock;
  let visits: Visits;
  let accountId: string;
  let made = 0;

  const openVisits = (operatorToken?: string): Visits =>
    createVisits({ store: testStore.store, clock, random: systemRandom, operatorToken });

  beforeEach(async () => {
    clock = createSteppedClock();
    visits = openVisits('the token of the operator');
    const ids = createIds({ clock, random: systemRandom });
    const accounts = { store: testStore.store, clock, ids, random: systemRandom };
    const given = { name: 'Ada', email: `ada-${++made}@example.com` };
    ({ account_id: accountId } = await createAccount(accounts, 'operator', given));
  });

  it('is known by a token that is stored nowhere', async () => {
    const token = await visits.beginOfOwner(accountId);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await visits.findOwner(token)).toBe(accountId);
    expect(await visits.findOwner(`${token}x`)).toBeUndefined();
    const rows = await testStore.store.read.selectFrom('browser_sessions').selectAll().execute();
    const stored = rows.map(({ token_hash }) => Buffer.from(token_hash).toString('latin1')).join();
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('latin1'));
    expect(stored).not.toContain(token);
  });

  it('ends when nothing is asked for long enough', async () => {
    const token = await visits.beginOfOwner(accountId);
    clock.advance(LIFETIMES.owner.idleMs - 1);
    expect(await visits.findOwner(token)).toBe(accountId);
    clock.advance(LIFETIMES.owner.idleMs - 1);
    expect(await visits.findOwner(token)).toBe(accountId);
    clock.advance(LIFETIMES.owner.idleMs);
    expect(await visits.findOwner(token)).toBeUndefined();
  });

  it('ends for good after its whole time, however busy it was', async () => {
    const token = await visits.beginOfOwner(accountId);
    for (let passed = HOUR_MS; passed < LIFETIMES.owner.wholeMs; passed += HOUR_MS) {
      clock.advance(HOUR_MS);
      expect(await visits.findOwner(token)).toBe(accountId);
    }
    clock.advance(HOUR_MS);
    expect(await visits.findOwner(token)).toBeUndefined();
  });

  it('ends in one browser or in all of them', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => visits.beginOfOwner(accountId)));
    await visits.end('owner', first ?? '');
    expect(await visits.findOwner(first ?? '')).toBeUndefined();
    expect(await visits.findOwner(second ?? '')).toBe(accountId);
    await visits.endAllOf(accountId);
    expect(await visits.findOwner(second ?? '')).toBeUndefined();
    expect(await visits.findOwner(third ?? '')).toBeUndefined();
  });

  it('of an owner is none of an operator, nor the other way round', async () => {
    const owner = await visits.beginOfOwner(accountId);
    const operator = await visits.beginOfOperator();
    expect(await visits.isOperator(operator)).toBe(true);
    expect(await visits.isOperator(owner)).toBe(false);
    expect(await visits.findOwner(operator)).toBeUndefined();
  });

  it('of an operator is shorter, and ends when the operator token is another one', async () => {
    const token = await visits.beginOfOperator();
    expect(await openVisits('a newer token of the operator').isOperator(token)).toBe(false);
    expect(await openVisits(undefined).isOperator(token)).toBe(false);
    clock.advance(LIFETIMES.operator.idleMs);
    expect(await visits.isOperator(token)).toBe(false);
  });

  it('leaves no row behind once it is over', async () => {
    await visits.beginOfOwner(accountId);
    clock.advance(LIFETIMES.owner.wholeMs);
    await visits.beginOfOwner(accountId);
    const rows = await testStore.store.read
      .selectFrom('browser_sessions')
      .select('created_at')
      .where('account_id', '=', accountId)
      .execute();
    expect(rows).toEqual([{ created_at: clock.now() }]);
  });
});
