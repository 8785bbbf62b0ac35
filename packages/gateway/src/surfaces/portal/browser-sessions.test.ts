import { createHmac } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { type Member, type MembersContext, openOwnAccount, signOutEverywhere } from '#accounts';
import { createIds, createSealedBox, createSteppedClock, systemRandom, type TravelClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { type BrowserSessions, createBrowserSessions, LIFETIMES } from './browser-sessions.ts';

const HOUR_MS = 3_600_000;

describeOnEachDatabase('a browser session', (testStore) => {
  let clock: TravelClock;
  let browserSessions: BrowserSessions;
  let accounts: MembersContext;
  let ada: Member;
  let accountId: string;
  let made = 0;

  const openBrowserSessions = (operatorToken?: string): BrowserSessions =>
    createBrowserSessions({ store: testStore.store, clock, random: systemRandom, operatorToken });

  beforeEach(async () => {
    clock = createSteppedClock();
    browserSessions = openBrowserSessions('the token of the operator');
    const ids = createIds({ clock, random: systemRandom });
    const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom });
    accounts = {
      ...{ store: testStore.store, clock, machineClock: clock, ids, random: systemRandom },
      ...{ sealedBox, mail: undefined },
    };
    const given = { name: 'Ada', email: `ada-${++made}@example.com` };
    ada = await openOwnAccount(accounts, given);
    ({ accountId } = ada);
  });

  it('is found by a token that is not stored', async () => {
    const token = await browserSessions.beginOfMember(ada);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    expect(await browserSessions.findMember(`${token}x`)).toBeUndefined();
    const rows = await testStore.store.read.selectFrom('browser_sessions').selectAll().execute();
    const stored = rows.map(({ token_hash }) => Buffer.from(token_hash).toString('latin1')).join();
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('latin1'));
    expect(stored).not.toContain(token);
  });

  it('ends after its idle timeout', async () => {
    const token = await browserSessions.beginOfMember(ada);
    clock.advance(LIFETIMES.owner.idleMs - 1);
    expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    clock.advance(LIFETIMES.owner.idleMs - 1);
    expect(await browserSessions.findMember(token)).toMatchObject({ accountId });
    clock.advance(LIFETIMES.owner.idleMs);
    expect(await browserSessions.findMember(token)).toBeUndefined();
  });

  it('ends at its maximum lifetime, however active it was', async () => {
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

  it('of a member other than the first owner is unknown to a process that takes everyone for the owner', async () => {
    const asOldProcessesDo = (token: string) => createHmac('sha256', 'owner').update(token).digest();
    const isKnown = async (token: string) => {
      const rows = testStore.store.read.selectFrom('browser_sessions').select('account_id');
      const row = await rows.where('token_hash', '=', asOldProcessesDo(token)).executeTakeFirst();
      return row !== undefined;
    };
    const first = await browserSessions.beginOfMember(ada);
    const other = await browserSessions.beginOfMember({ ...ada, isFirst: false });
    expect([await isKnown(first), await isKnown(other)]).toEqual([true, false]);
    expect(await browserSessions.findMember(other)).toMatchObject({ accountId });
  });

  it('of an owner is not valid as an operator, nor the other way round', async () => {
    const owner = await browserSessions.beginOfMember(ada);
    const operator = await browserSessions.beginOfOperator();
    expect(await browserSessions.isOperator(operator)).toBe(true);
    expect(await browserSessions.isOperator(owner)).toBe(false);
    expect(await browserSessions.findMember(operator)).toBeUndefined();
  });

  it('of an operator is shorter, and ends when the operator token changes', async () => {
    const token = await browserSessions.beginOfOperator();
    expect(await openBrowserSessions('a newer token of the operator').isOperator(token)).toBe(false);
    expect(await openBrowserSessions(undefined).isOperator(token)).toBe(false);
    clock.advance(LIFETIMES.operator.idleMs);
    expect(await browserSessions.isOperator(token)).toBe(false);
  });

  it('leaves no row after its end', async () => {
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
