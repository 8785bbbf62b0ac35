import { HEALTH_DAYS_DEFAULT, operations, type Pacing } from '@parley/contract';
import { type Route, serve } from '#http';
import { type Clock, fault } from '#kernel';
import type { Store } from '#store';
import { dayOf } from './counts.ts';
import { type PacingDefaults, pacingOf } from './pacing.ts';
import { choosePacing, daysOf, findHealth } from './store.ts';
import { healthView } from './view.ts';

const DAY_MS = 86_400_000;

export interface HealthContext {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaults: PacingDefaults;
}

export function healthRoutes({ store, clock, defaults }: HealthContext): Route[] {
  return [
    serve(operations.getSessionHealth, async ({ number, query }) => {
      const now = clock.now();
      const row = await findHealth(store.read, number, now);
      if (!row) throw fault('session_not_found');
      const from = dayOf(now) - ((query.days ?? HEALTH_DAYS_DEFAULT) - 1) * DAY_MS;
      return healthView(row, await daysOf(store.read, number.slotId, from), defaults, now);
    }),
    serve(operations.setPacing, async ({ number, body }) => {
      const choose = (before: Partial<Pacing>): Partial<Pacing> => {
        const chosen = { ...before, ...given(body) };
        const { gap_min_seconds: min = 0, gap_max_seconds: max = 0 } = chosen;
        if (min > max)
          throw fault('invalid_field', { text: 'gap_min_seconds must be at most gap_max_seconds' });
        return chosen;
      };
      const row = await choosePacing(store, number, choose, clock.now());
      if (!row) throw fault('session_not_found');
      return { session_id: row.session_id, ...pacingOf(row, defaults) };
    }),
  ];
}

function given(body: { readonly [K in keyof Pacing]?: Pacing[K] | undefined }): Partial<Pacing> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
