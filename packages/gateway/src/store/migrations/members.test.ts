import { expect, it } from 'vitest';
import { acrossMigration } from '../testing/across-migration.ts';
import { members as migration } from './0024-members.ts';

it('the owners of accounts from before there were members are members, with the password where it was', async () => {
  const owner = { id: 'acc_ada', name: 'Ada', email: 'ada@example.com', password_hash: 'kept' };
  const { members, accounts } = await acrossMigration(
    migration.version,
    (before) =>
      before.transaction((trx) =>
        trx
          .insertInto('accounts')
          .values({
            ...{ ...owner, status: 'active', tos_accepted_version: null, tos_accepted_at: null },
            ...{ partner_per_minute: null, partner_per_period: null, created_at: 7 },
          })
          .execute(),
      ),
    async ({ read }) => ({
      members: await read.selectFrom('members').selectAll().execute(),
      accounts: await read.selectFrom('accounts').select('password_hash').execute(),
    }),
  );
  expect(members).toEqual([
    {
      ...{ id: 'mem_ada', account_id: 'acc_ada', email: 'ada@example.com', name: 'Ada', role: 'owner' },
      ...{ password_hash: null, awaits_verification: 0, created_at: 7 },
    },
  ]);
  expect(accounts).toEqual([{ password_hash: 'kept' }]);
});
