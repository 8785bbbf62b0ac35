import { HEALTH_ADVICE_TEXTS, type HealthAdvice, type HealthDay, type SessionHealth } from '@parley/contract';
import type { HealthCountRow, NumberHealthRow } from '#store';
import { type Counts, dayOf, lastDayFrom, sumOf } from './counting/counts.ts';
import { holdOf, newChatsByHour, type PacingDefaults, pacingOf } from './pacing/pacing.ts';
import { adviceOn, standingOf, standingView } from './standing/standing.ts';

/** From so many new chats on, a day says something about them. */
const CHATS_THAT_TELL = 20;
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
  /** Of its last hours. */
  newChats: string;
  counts: readonly HealthCountRow[];
  /** The first of the days that are told. */
  from: number;
  defaults: PacingDefaults;
  now: number;
}): SessionHealth {
  const standing = standingOf(row, now);
  const hours = [
    ...counts,
    ...newChatsByHour(newChats).map(({ at, by }) => ({ starts_at: at, new_chats: by })),
  ];
  const lastDay = sumOf(hours.filter(({ starts_at }) => starts_at >= lastDayFrom(now)));
  const hold = holdOf({ row, newChats, defaults, now });
  const isIgnored = lastDay.new_chats >= CHATS_THAT_TELL && lastDay.replies < FEW_REPLIES * lastDay.new_chats;
  const advice = [...adviceOn(row, standing, now), ...(isIgnored ? (['check_numbers'] as const) : [])];
  return {
    session_id: row.session_id,
    ...standingView(row, standing, now),
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
