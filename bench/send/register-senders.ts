import { createApiKey } from '../../packages/gateway/src/accounts/index.ts';
import { type Clock, type Ids, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import type { Store } from '../../packages/gateway/src/platform/store/index.ts';
import type { Sender } from './load-process.ts';

const NUMBERS_PER_ACCOUNT = 20;

/** Numbers without send limits, of as many accounts. */
export async function registerSenders(
  store: Store,
  { accounts, clock, ids }: { accounts: number; clock: Clock; ids: Ids },
): Promise<Sender[]> {
  const keys: { accountId: string; key: string }[] = [];
  for (let n = 0; n < accounts; n++) {
    const accountId = ids.account();
    await store.transaction(async (trx) => {
      const account = { id: accountId, name: 'bench', email: `${accountId}@example.com` };
      const limits = { partner_per_minute: 6_000, partner_per_period: 100_000_000 };
      const now = clock.now();
      await trx
        .insertInto('accounts')
        .values({ ...account, ...limits, status: 'active', created_at: now })
        .execute();
      await trx
        .insertInto('devices')
        .values(
          Array.from({ length: NUMBERS_PER_ACCOUNT }, (_, index) => ({
            slot_id: ids.slot(),
            account_id: accountId,
            phone: phoneOf(n, index),
            plan: 'partner' as const,
            status: 'active' as const,
            activated_at: now,
            created_at: now,
          })),
        )
        .execute();
    });
    const { api_key: key } = await createApiKey(
      { store, clock, ids, random: systemRandom },
      'system',
      accountId,
      {
        name: 'bench',
      },
    );
    keys.push({ accountId, key });
  }
  // In turns by account, so that no account reaches its rate.
  return Array.from({ length: NUMBERS_PER_ACCOUNT }, (_, index) =>
    keys.map(({ key }, n) => ({ key, sessionId: `${phoneOf(n, index)}:1@s.whatsapp.net` })),
  ).flat();
}

function phoneOf(account: number, index: number): string {
  return String(15_560_000_000 + account * NUMBERS_PER_ACCOUNT + index);
}
