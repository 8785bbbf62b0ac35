import { HEALTH_DAYS_DEFAULT, type NumberStanding, type Pacing, type SessionHealth } from '@parley/contract';
import type { Actor } from '#accounts';
import { type Clock, fault } from '#kernel';
import type { Store } from '#store';
import { DAY_MS, dayOf, lastDayFrom } from './counting/counts.ts';
import { type PacingDefaults, pacingOf } from './pacing/pacing.ts';
import { standingOf, standingView } from './standing/standing.ts';
import { choosePacing, countsSince, findHealth, healthOfMany, recentNewChats } from './store.ts';
import { healthView } from './view.ts';

export interface HealthContext {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaults: PacingDefaults;
}

interface Subject {
  readonly slotId: string;
  readonly accountId: string;
}

interface PacedNumber extends Subject {
  readonly phone: string;
}

export async function readHealth(
  { store, clock, defaults }: HealthContext,
  number: Subject,
  days = HEALTH_DAYS_DEFAULT,
): Promise<SessionHealth> {
  const now = clock.now();
  const row = await findHealth(store.read, number, now);
  if (!row) throw fault('session_not_found');
  const from = dayOf(now) - (days - 1) * DAY_MS;
  const counts = await countsSince(store.read, number.slotId, Math.min(from, lastDayFrom(now)));
  const newChats = await recentNewChats(store.read, number.slotId);
  return healthView({ row, newChats, counts, from, defaults, now });
}

/** Changes what is given and answers all of it. */
export async function setPacing(
  { store, clock, defaults }: HealthContext,
  number: PacedNumber,
  given: { readonly [K in keyof Pacing]?: Pacing[K] | undefined },
  by: Actor | undefined,
): Promise<Pacing & { session_id: string }> {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const choose = (before: Partial<Pacing>): Partial<Pacing> => {
    const chosen = { ...before, ...changes };
    const { gap_min_seconds: min = 0, gap_max_seconds: max = 0 } = chosen;
    if (min > max) throw fault('invalid_field', { text: 'gap_min_seconds must be at most gap_max_seconds' });
    return chosen;
  };
  const row = await choosePacing(store, number, choose, { now: clock.now(), by });
  if (!row) throw fault('session_not_found');
  return { session_id: row.session_id, ...pacingOf(row, defaults) };
}

/** How each number of an account stands, or of all accounts, by its slot; one of which nothing is known is left out. */
export async function standings(
  { store, clock }: Pick<HealthContext, 'store' | 'clock'>,
  accountId?: string,
): Promise<Map<string, NumberStanding>> {
  const now = clock.now();
  const rows = await healthOfMany(store.read, accountId);
  return new Map(rows.map((row) => [row.slot_id, standingView(row, standingOf(row, now), now)]));
}
