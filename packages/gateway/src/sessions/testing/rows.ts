import type { Store } from '#platform/store';

const NOW = Date.UTC(2026, 0, 1);

/** For tests only: numbers of one account, each with a session of the worker, or without a host. */
export async function linkNumbers(store: Store, count: number, worker: string | null = null): Promise<void> {
  await store.transaction(async (trx) => {
    await trx
      .insertInto('accounts')
      .values({ id: 'acc', name: 'A', email: 'a@example.com', status: 'active', created_at: NOW })
      .execute();
    for (let each = 0; each < count; each++) {
      const number = { slot_id: `slot_${each}`, account_id: 'acc', phone: `1555000${each}` };
      await trx
        .insertInto('devices')
        .values({ ...number, plan: 'max', status: 'active', activated_at: NOW, created_at: NOW })
        .execute();
      await trx
        .insertInto('sessions')
        .values({
          ...number,
          session_id: `1555000${each}:1@s.whatsapp.net`,
          link_id: `link_${each}`,
          status: 'connected',
          since: NOW,
          auto_reject: 0,
          presence_policy: 'auto',
          fence: 1,
          worker,
        })
        .execute();
    }
  });
}
