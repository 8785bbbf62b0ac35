import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { changeAccount, createAccount, getAccount, listAccounts } from './accounts.ts';
import { verifyPassword } from './passwords.ts';
import { createHarness } from './testing/harness.ts';

describeOnEachDatabase('an account', (test) => {
  const begin = () => createHarness(test);

  it('begins active, without terms, limits or a password', async () => {
    const context = begin();
    const made = await createAccount(context, 'operator', { name: 'Ada', email: 'Ada@Example.com' });
    expect(made).toEqual({
      account_id: expect.stringMatching(/^acc_/),
      name: 'Ada',
      email: 'ada@example.com',
      status: 'active',
      tos_accepted_version: null,
      partner_limits: null,
    });
    expect(await getAccount(context, made.account_id)).toEqual(made);
    expect((await listAccounts(context)).items).toContainEqual(made);
  });

  it('keeps its password as a hash', async () => {
    const context = begin();
    const given = { name: 'Eve', email: 'eve@example.com', password: 'a long password' };
    const { account_id } = await createAccount(context, 'operator', given);
    const row = await context.store.read
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(given.password);
    expect(await verifyPassword(given.password, row.password_hash ?? '')).toBe(true);
  });

  it('has an email of its own, in any spelling, also when two are made in the same moment', async () => {
    const context = begin();
    const twins = await Promise.allSettled(
      ['ben@example.com', 'Ben@Example.COM'].map((email) =>
        createAccount(context, 'operator', { name: 'Ben', email }),
      ),
    );
    const refused = twins.filter((twin) => twin.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['email_taken']);
  });

  it('changes only the given fields', async () => {
    const context = begin();
    const made = await createAccount(context, 'operator', { name: 'Cy', email: 'cy@example.com' });
    const partner_limits = { per_minute: 90, per_period: 1_000 };
    const suspended = await changeAccount(context, 'operator', made.account_id, { status: 'suspended' });
    expect(suspended).toEqual({ ...made, status: 'suspended' });
    const limited = await changeAccount(context, 'operator', made.account_id, { partner_limits });
    expect(limited).toEqual({ ...suspended, partner_limits });
    expect(await getAccount(context, made.account_id)).toEqual(limited);
  });

  it('is not found under an id that does not exist', async () => {
    const context = begin();
    await expect(getAccount(context, 'acc_none')).rejects.toMatchObject({ code: 'account_not_found' });
    const change = changeAccount(context, 'operator', 'acc_none', { status: 'suspended' });
    await expect(change).rejects.toMatchObject({ code: 'account_not_found' });
  });
});
