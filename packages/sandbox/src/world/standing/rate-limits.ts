import type { PhoneNumber } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { RateKind, Standing } from './types.ts';

/** Asked at each query of a client, so the stored limits are also kept in memory. */
export function createRateLimits({ db, clock }: WorldContext): Pick<Standing, 'limit' | 'isLimited'> {
  const nameOf = (phone: PhoneNumber, kind: RateKind): string => `${phone} ${kind}`;

  const until = new Map(
    db
      .all<{ phone: PhoneNumber; kind: RateKind; until: number }>('SELECT * FROM rate_limits')
      .map(({ phone, kind, until }) => [nameOf(phone, kind), until]),
  );

  return {
    limit(phone, kind, seconds) {
      const end = clock.now() + seconds * 1_000;
      db.run(
        `INSERT INTO rate_limits (phone, kind, until) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET until = excluded.until`,
        phone,
        kind,
        end,
      );
      until.set(nameOf(phone, kind), end);
    },
    isLimited: (phone, kind) => until.size > 0 && (until.get(nameOf(phone, kind)) ?? 0) > clock.now(),
  };
}
