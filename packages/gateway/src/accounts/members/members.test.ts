import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { createHarness, newAccount, type TestHarness } from '../testing/harness.ts';
import { quickHash } from '../testing/quick-hash.ts';
import { changePassword, memberByPassword, memberOfSession, membersOf } from './members.ts';

describeOnEachDatabase('while a process of the last release runs beside this one', (test) => {
  let made = 0;

  /** As that process does, which knows no members. */
  async function oldProcessMakes(context: TestHarness, password: string) {
    const email = `old-${++made}@example.com`;
    const row = {
      ...{ id: context.ids.account(), name: 'Old', email, status: 'active' as const, created_at: 1 },
      password_hash: quickHash(password),
      ...{ tos_accepted_version: null, tos_accepted_at: null },
      ...{ partner_per_minute: null, partner_per_period: null },
    };
    await test.store.transaction((trx) => trx.insertInto('accounts').values(row).execute());
    return row;
  }

  it('an account that it makes has an owner here too, once', async () => {
    const context = createHarness(test);
    const { id, email } = await oldProcessMakes(context, 'first password');
    const member = await memberByPassword(context, { email, password: 'first password' });
    expect(member).toMatchObject({ accountId: id, role: 'owner', isFirst: true });
    expect(await membersOf(context, id)).toEqual([member]);
    expect(await memberOfSession(context, { accountId: id, memberId: null })).toEqual(member);
  });

  it('a password that either of them changes counts for both', async () => {
    const context = createHarness(test);
    const { account_id: id, email } = await newAccount(context, `Ada ${++made}`);
    const [ada] = await membersOf(context, id);
    const oldHash = quickHash('set by the old one');
    await test.store.transaction((trx) =>
      trx.updateTable('accounts').set({ password_hash: oldHash }).where('id', '=', id).execute(),
    );
    expect(await memberByPassword(context, { email, password: 'set by the old one' })).toMatchObject({
      id: ada?.id,
    });
    const change = { current: 'set by the old one', next: 'set by the new one' };
    await changePassword(context, ada?.id ?? '', change);
    const account = test.store.read.selectFrom('accounts').select('password_hash').where('id', '=', id);
    const seen = await memberByPassword(context, { email, password: 'set by the new one' });
    expect(seen?.passwordHash).toBe((await account.executeTakeFirstOrThrow()).password_hash);
    expect(seen?.passwordHash).not.toBe(oldHash);
  });
});
