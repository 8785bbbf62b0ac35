import { DELIVERY_HISTORY_MAX_ENTRIES, PLAN_LIMITS, UNRECORDED_KINDS } from '@parley/contract';
import type { DeliveryRow, Store, WebhookRow } from '#store';
import type { WebhooksContext } from '../context.ts';
import { latestDeliveries } from '../store.ts';

/**
 * How far back the history of deliveries reaches. Whoever shows it keeps to these bounds: what lies beyond them leaves the database only when the
 * historyRetention comes by.
 */

const DAY_MS = 24 * 60 * 60_000;

/** Of the number of a webhook; epoch milliseconds. */
export async function historyBegins(
  { planOf, clock }: Pick<WebhooksContext, 'planOf' | 'clock'>,
  { account_id, phone }: Pick<WebhookRow, 'account_id' | 'phone'>,
): Promise<number> {
  const plan = (await planOf(account_id, phone)) ?? 'free';
  return clock.now() - PLAN_LIMITS[plan].deliveryHistoryDays * DAY_MS;
}

/** The oldest delivery of each status that is among the latest of its account. */
export type FirstShown = Readonly<Record<DeliveryRow['status'], number>>;

const OTHERS = ['pending', 'paused', 'delivered'] as const;

/** Dead letters come first, as they are the last that the historyRetention takes; whatever else is newest has the places that are left. */
export async function firstShownOf({ read }: Pick<Store, 'read'>, accountId: string): Promise<FirstShown> {
  const [dead, ...others] = await Promise.all(
    (['dead', ...OTHERS] as const).map((status) =>
      latestDeliveries(read, {
        accountId,
        status,
        hidden: [...UNRECORDED_KINDS],
        limit: DELIVERY_HISTORY_MAX_ENTRIES,
      }),
    ),
  );
  const deadShown = dead ?? [];
  const newest = others.flat().sort((a, b) => b - a);
  const first = firstOf(newest.slice(0, DELIVERY_HISTORY_MAX_ENTRIES - deadShown.length));
  return { dead: firstOf(deadShown), pending: first, paused: first, delivered: first };
}

function firstOf(newestFirst: readonly number[]): number {
  return newestFirst.at(-1) ?? Number.MAX_SAFE_INTEGER;
}
