import type { Account } from '@parley/contract';
import { call, type Resource, useResource, wholeList } from '../../api/index.ts';

const LOOK_EVERY_MS = 30_000;

/** All accounts, for lists that name them. */
export function useAccounts(): Resource<readonly Account[]> {
  return useResource<readonly Account[]>(
    async () => (await wholeList((page) => call('listAccounts', { query: page }))).accounts,
    [],
    {
      everyMs: LOOK_EVERY_MS,
    },
  );
}

/** What an account is called; its id while that is not known. */
export function nameOfAccount(accounts: readonly Account[] | undefined, accountId: string): string {
  return accounts?.find(({ account_id }) => account_id === accountId)?.name ?? accountId;
}

export function addressOfAccount(accountId: string): string {
  return `/portal/operator/accounts/${accountId}`;
}
