import type { DeliveryAttempt, DeliveryStats, StatsBucket } from '@parley/contract';
import { DAY_MS, HOUR_MS } from '#kernel';
import type { Caller } from '#platform/http';
import type { WebhooksContext } from '../context.ts';
import { ownWebhook } from '../endpoints/configuration.ts';
import { countDeliveries, recentAttempts } from './delivery-queries.ts';

const BUCKETS: Record<StatsBucket, { readonly lengthMs: number; readonly count: number }> = {
  hour: { lengthMs: HOUR_MS, count: 24 },
  day: { lengthMs: DAY_MS, count: 30 },
};

/** How the deliveries of a webhook went, as far as the log remembers. */
export async function deliveryStats(
  { store, clock }: Pick<WebhooksContext, 'store' | 'clock'>,
  caller: Caller,
  webhookId: string,
  bucket: StatsBucket,
): Promise<DeliveryStats> {
  const webhook = await ownWebhook(store.read, caller, webhookId);
  const { lengthMs, count } = BUCKETS[bucket];
  const end = (Math.floor(clock.now() / lengthMs) + 1) * lengthMs;
  const start = end - count * lengthMs;
  const attempts = (await recentAttempts(store.read, webhook)).filter(
    ({ at_unix }) => at_unix * 1_000 >= start,
  );
  const byBucket = Map.groupBy(attempts, ({ at_unix }) => Math.floor((at_unix * 1_000 - start) / lengthMs));
  return {
    bucket,
    total: figuresOf(attempts),
    waiting: await countDeliveries(store.read, webhook, ['pending', 'paused']),
    dead: await countDeliveries(store.read, webhook, ['dead']),
    buckets: Array.from({ length: count }, (_, index) => ({
      start_unix: (start + index * lengthMs) / 1_000,
      ...figuresOf(byBucket.get(index) ?? []),
    })),
  };
}

function figuresOf(attempts: readonly DeliveryAttempt[]): DeliveryStats['total'] {
  const durations = attempts.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  const delivered = attempts.filter(
    ({ status_code }) => status_code && status_code >= 200 && status_code < 300,
  );
  return {
    delivered: delivered.length,
    failed: attempts.length - delivered.length,
    median_ms: percentile(durations, 0.5),
    slowest_ms: percentile(durations, 0.95),
  };
}

/** Of numbers in order; the nearest one that was really there. */
function percentile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.ceil(sorted.length * part) - 1] ?? null;
}
