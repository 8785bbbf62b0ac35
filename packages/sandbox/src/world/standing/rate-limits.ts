import type { Ground } from '../ground.ts';
import type { PhoneNumber } from '../types.ts';
import type { RateKind, Standing } from './types.ts';

/** Asked at each question of a client, so what is kept is also at hand. */
export function createRateLimits({ db, clock }: Ground): Pick<Standing, 'limit' | 'isLimited'> {
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
