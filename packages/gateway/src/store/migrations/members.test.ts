import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { openStore } from '../index.ts';
import { members as migration } from './0024-members.ts';
import { migrations } from './index.ts';

it('the owners of accounts from before there were members are members, with the password where it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migration-'));
  const open = (upTo: number) =>
    openStore({
      url: `sqlite:${join(folder, 'parley.db')}`,
      commandModules: [],
      migrations: migrations.filter(({ version }) => version <= upTo),
      clock: createSystemClock(),
    });
  try {
    const before = await open(migration.version - 1);
    await before.transaction((trx) =>
      trx
        .insertInto('accounts')
        .values({
          ...{
            id: 'acc_ada',
            name: 'Ada',
            email: 'ada@example.com',
            password_hash: 'kept',
            status: 'active',
          },
          ...{ tos_accepted_version: null, tos_accepted_at: null },
          ...{ partner_per_minute: null, partner_per_period: null, created_at: 7 },
        })
        .execute(),
    );
    await before.close();
    const store = await open(Number.POSITIVE_INFINITY);
    const members = await store.read.selectFrom('members').selectAll().execute();
    const accounts = await store.read.selectFrom('accounts').select('password_hash').execute();
    await store.close();
    expect(members).toEqual([
      {
        ...{ id: 'mem_ada', account_id: 'acc_ada', email: 'ada@example.com', name: 'Ada', role: 'owner' },
        ...{ password_hash: null, awaits_verification: 0, created_at: 7 },
      },
    ]);
    expect(accounts).toEqual([{ password_hash: 'kept' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
