import { createIds, createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import { migrations, openStore } from '../../packages/gateway/src/platform/store/index.ts';
import type { Sender } from '../send/load-process.ts';
import { registerSenders } from '../send/register-senders.ts';

const YEAR_MS = 366 * 86_400_000;

/**
 * Numbers hosted by a worker that does nothing with them: a send costs its acceptance only. They are inserted into the database
 * beside the running gateway, which has none of them in memory yet.
 */
export async function addGhosts(databaseUrl: string, accounts: number): Promise<Sender[]> {
  const clock = createSystemClock();
  const store = await openStore({ url: databaseUrl, commandModules: [], migrations, clock });
  try {
    const senders = await registerSenders(store, {
      ...{ accounts, clock },
      ids: createIds({ clock, random: systemRandom }),
    });
    const now = clock.now();
    await store.transaction(async (trx) => {
      const lease = { lease_expires_at: now + YEAR_MS, key_ids: '' };
      await trx
        .insertInto('workers')
        .values({ worker: 'ghost', started_at: now, last_seen: now, ...lease })
        .execute();
      const numbers = trx
        .selectFrom('devices')
        .select(({ val, fn }) => [
          ...(['devices.slot_id', 'devices.account_id', 'devices.phone'] as const),
          fn<string>('concat', ['devices.phone', val(':1@s.whatsapp.net')]).as('session_id'),
          'devices.slot_id as link_id',
          val('connected' as const).as('status'),
          val(now).as('since'),
          val('ghost').as('worker'),
          val(1).as('fence'),
          val(0).as('auto_reject'),
        ])
        .where('devices.slot_id', 'not in', trx.selectFrom('sessions').select('sessions.slot_id'));
      await trx
        .insertInto('sessions')
        .columns([
          ...(['slot_id', 'account_id', 'phone', 'session_id', 'link_id', 'status', 'since'] as const),
          ...(['worker', 'fence', 'auto_reject'] as const),
        ])
        .expression(numbers)
        .execute();
    });
    return senders;
  } finally {
    await store.close();
  }
}
