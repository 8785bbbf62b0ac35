import {
  HEALTH_ADVICE_TEXTS,
  HEALTH_DAYS_DEFAULT,
  type HealthAdvice,
  type HealthDay,
  type NumberStanding,
  type Pacing,
  type SessionHealth,
} from '@parley/contract';
import type { Actor } from '#accounts';
import { apiError, type Clock, DAY_MS } from '#kernel';
import type { HealthCountRow, NumberHealthRow, Store } from '#platform/store';
import { type Counts, dayOf, lastDayFrom, sumOf } from './counting/counts.ts';
import {
  choosePacing,
  countsSince,
  findHealth,
  healthOfMany,
  numbersByState,
  recentNewChats,
  refusalsSince,
} from './health-queries.ts';
import { holdOf, newChatsByHour, type PacingDefaults, pacingOf } from './pacing/pacing.ts';
import { numberHealthOf, numberHealthView, recommendationFor } from './state/number-health.ts';

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
  if (!row) throw apiError('session_not_found');
  const from = dayOf(now) - (days - 1) * DAY_MS;
  const counts = await countsSince(store.read, number.slotId, Math.min(from, lastDayFrom(now)));
  const newChats = await recentNewChats(store.read, number.slotId);
  return healthView({ row, newChats, counts, from, defaults, now });
}

/** Changes the given settings and returns all of them. */
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
    if (min > max)
      throw apiError('invalid_field', { text: 'gap_min_seconds must be at most gap_max_seconds' });
    return chosen;
  };
  const row = await choosePacing(store, number, choose, { now: clock.now(), by });
  if (!row) throw apiError('session_not_found');
  return { session_id: row.session_id, ...pacingOf(row, defaults) };
}

/** Health of each number of an account, or of all accounts, by slot; numbers without a row are left out. */
export async function numberHealths(
  { store, clock }: Pick<HealthContext, 'store' | 'clock'>,
  accountId?: string,
): Promise<Map<string, NumberStanding>> {
  const now = clock.now();
  const rows = await healthOfMany(store.read, accountId);
  return new Map(rows.map((row) => [row.slot_id, numberHealthView(row, numberHealthOf(row, now), now)]));
}

/** Metrics over all numbers. */
export function healthFigures({ store, clock }: { store: Pick<Store, 'read'>; clock: Pick<Clock, 'now'> }) {
  return {
    states: () => numbersByState(store),
    refusals: () => refusalsSince(store, dayOf(clock.now())),
  };
}

/** Minimum of new chats for a ratio of replies. */
const MIN_CHATS_FOR_RATIO = 20;
const FEW_REPLIES = 0.1;

export function healthView({
  row,
  newChats,
  counts,
  from,
  defaults,
  now,
}: {
  row: NumberHealthRow;
  /** New chats of its last hours. */
  newChats: string;
  counts: readonly HealthCountRow[];
  /** The first day in the answer. */
  from: number;
  defaults: PacingDefaults;
  now: number;
}): SessionHealth {
  const standing = numberHealthOf(row, now);
  const hours = [
    ...counts,
    ...newChatsByHour(newChats).map(({ at, by }) => ({ starts_at: at, new_chats: by })),
  ];
  const lastDay = sumOf(hours.filter(({ starts_at }) => starts_at >= lastDayFrom(now)));
  const hold = holdOf({ row, newChats, defaults, now });
  const isIgnored =
    lastDay.new_chats >= MIN_CHATS_FOR_RATIO && lastDay.replies < FEW_REPLIES * lastDay.new_chats;
  const advice = [
    ...recommendationFor(row, standing, now),
    ...(isIgnored ? (['check_numbers'] as const) : []),
  ];
  return {
    session_id: row.session_id,
    ...numberHealthView(row, standing, now),
    last_day: {
      ...lastDay,
      ...(lastDay.new_chats > 0 && {
        reply_rate: Math.round((100 * lastDay.replies) / lastDay.new_chats) / 100,
      }),
    },
    ...(row.inbound_at !== null && { inbound_last_unix: Math.floor(row.inbound_at / 1_000) }),
    advice: advice.map((code: HealthAdvice) => ({ code, text: HEALTH_ADVICE_TEXTS[code] })),
    pacing: {
      ...pacingOf(row, defaults),
      ...(hold && { held_until_unix: Math.ceil(hold.until / 1_000), held_reason: hold.reason }),
    },
    days: daysIn(hours.filter(({ starts_at }) => starts_at >= from)),
  };
}

/** The newest first. */
function daysIn(hours: readonly (Partial<Counts> & { readonly starts_at: number })[]): HealthDay[] {
  return [...Map.groupBy(hours, ({ starts_at }) => dayOf(starts_at))]
    .sort(([one], [other]) => other - one)
    .map(([day, counts]) => ({ day: new Date(day).toISOString().slice(0, 10), ...sumOf(counts) }));
}
