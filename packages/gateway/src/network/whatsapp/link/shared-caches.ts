import type { CacheStore } from 'baileys';
import type { Clock } from '#kernel';
import { type BoundedCache, createBoundedCache } from '../bounded-cache.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/**
 * The library makes several caches per socket, each unbounded and with a timer of its own. Here all sessions share bounded ones, and each
 * sees only what it put there itself.
 */
export function createSharedCaches(clock: Pick<Clock, 'now'>) {
  const devices = createExpiringCache(clock, { limit: 20_000, lifeMs: 5 * MINUTE });
  const retries = createExpiringCache(clock, { limit: 20_000, lifeMs: HOUR });
  const calls = createExpiringCache(clock, { limit: 2_000, lifeMs: 5 * MINUTE });
  const placeholders = createExpiringCache(clock, { limit: 2_000, lifeMs: HOUR });
  return {
    of: (linkId: string) => ({
      userDevicesCache: devices(linkId),
      msgRetryCounterCache: retries(linkId),
      callOfferCache: calls(linkId),
      placeholderResendCache: placeholders(linkId),
    }),
  };
}

export type SharedCaches = ReturnType<typeof createSharedCaches>;

interface Expiring {
  readonly value: unknown;
  readonly until: number;
}

function createExpiringCache(
  clock: Pick<Clock, 'now'>,
  { limit, lifeMs }: { limit: number; lifeMs: number },
) {
  const entries: BoundedCache<Expiring> = createBoundedCache({ limit });
  return (linkId: string): CacheStore => {
    const own = (key: string): string => `${linkId}\n${key}`;
    return {
      get<T>(key: string) {
        const entry = entries.get(own(key));
        // The library asks under the keys, and so for the types, that it used itself.
        return entry && entry.until > clock.now() ? (entry.value as T) : undefined;
      },
      set: (key, value) => entries.set(own(key), { value, until: clock.now() + lifeMs }),
      del: (key) => entries.delete(own(key)),
      flushAll: () => entries.deleteAll(own('')),
    };
  };
}
