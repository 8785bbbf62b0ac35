import { beforeEach, expect, it } from 'vitest';
import { type AccountsContext, type Member, openOwnAccount, signOutEverywhere } from '#accounts';
import { createIds, createSteppedClock, systemRandom, type TravelClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { type BrowserSessions, createBrowserSessions, LIFETIMES } from './browser-sessions.ts';

const HOUR_MS = 3_600_000;

describeOnEachDatabase('a visit', (testStore) => {
  let clock: TravelClock;
  let browserSessions: BrowserSessions;
  let accounts: AccountsContext;
  let ada: Member;
  let accountId: string;
  let made = 0;

  const openBrowserSessions = (operatorToken?: string): BrowserSessions =>
    createBrowserSessions({ store: testStore.store, clock, random: systemRandom, operatorToken });

  beforeEach(async () => {
    clock = createSteppedClock();
    browserSessions = openBrowserSessions('the token of the operator');
    const ids = createIds({ clock, random: systemRandom });
    accounts = { store: testStore.store, clock, ids, random: systemRandom };
    const given = { name: 'Ada', email: `ada-${++made}@example.com` };
    ada = await openOwnAccount(accounts, given);
    ({ accountId } = ada);
  });

  it('is known by a token that is stored nowhere', async () => {
    const token = await browserSessions.beginOfMember(ada);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    expect(await browserSessions.findMember(`${token}x`)).toBeUndefined();
    const rows = await testStore.store.read.selectFrom('browser_sessions').selectAll().execute();
    const stored = rows.map(({ token_hash }) => Buffer.from(token_hash).toString('latin1')).join();
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('latin1'));
    expect(stored).not.toContain(token);
  });

  it('ends when nothing is asked for long enough', async () => {
    const token = await browserSessions.beginOfMember(ada);
    clock.advance(LIFETIMES.owner.idleMs - 1);
    expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    clock.advance(LIFETIMES.owner.idleMs - 1);
    expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    clock.advance(LIFETIMES.owner.idleMs);
    expect(await browserSessions.findMember(token)).toBeUndefined();
  });

  it('ends for good after its whole time, however busy it was', async () => {
    const token = await browserSessions.beginOfMember(ada);
    for (let passed = HOUR_MS; passed < LIFETIMES.owner.wholeMs; passed += HOUR_MS) {
      clock.advance(HOUR_MS);
      expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    }
    clock.advance(HOUR_MS);
    expect(await browserSessions.findMember(token)).toBeUndefined();
  });

  it('ends in one browser or in all of them', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => browserSessions.beginOfMember(ada)));
    await browserSessions.end('owner', first ?? '');
    expect(await browserSessions.findMember(first ?? '')).toBeUndefined();
    expect(await browserSessions.findMember(second ?? '')).toMatchObject({ accountId });
    await signOutEverywhere(accounts, ada.id);
    expect(await browserSessions.findMember(second ?? '')).toBeUndefined();
    expect(await browserSessions.findMember(third ?? '')).toBeUndefined();
  });

  it('of an owner is none of an operator, nor the other way round', async () => {
    const owner = await browserSessions.beginOfMember(ada);
    const operator = await browserSessions.beginOfOperator();
    expect(await browserSessions.isOperator(operator)).toBe(true);
    expect(await browserSessions.isOperator(owner)).toBe(false);
    expect(await browserSessions.findMember(operator)).toBeUndefined();
  });

  it('of an operator is shorter, and ends when the operator token is another one', async () => {
    const token = await browserSessions.beginOfOperator();
    expect(await openBrowserSessions('a newer token of the operator').isOperator(token)).toBe(false);
    expect(await openBrowserSessions(undefined).isOperator(token)).toBe(false);
    clock.advance(LIFETIMES.operator.idleMs);
    expect(await browserSessions.isOperator(token)).toBe(false);
  });

  it('leaves no row behind once it is over', async () => {
    await browserSessions.beginOfMember(ada);
    clock.advance(LIFETIMES.owner.wholeMs);
    await browserSessions.beginOfMember(ada);
    const rows = await testStore.store.read
      .selectFrom('browser_sessions')
      .select('created_at')
      .where('account_id', '=', accountId)
      .execute();
    expect(rows).toEqual([{ created_at: clock.now() }]);
  });
});
