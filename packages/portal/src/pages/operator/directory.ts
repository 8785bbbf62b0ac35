import type { Account } from '@parley/contract';
import { call, type Resource, useResource, wholeList } from '../../api/index.ts';

const POLL_MS = 30_000;

/** All accounts, to show their names in lists. */
export function useAccounts(): Resource<readonly Account[]> {
  return useResource<readonly Account[]>(
    async () => (await wholeList((page) => call('listAccounts', { query: page }))).accounts,
    [],
    {
      everyMs: POLL_MS,
    },
  );
}

/** Name of an account; its id until the names are loaded. */
export function nameOfAccount(accounts: readonly Account[] | undefined, accountId: string): string {
  return accounts?.find(({ account_id }) => account_id === accountId)?.name ?? accountId;
}

export function addressOfAccount(accountId: string): string {
  return `/portal/operator/accounts/${accountId}`;
}
