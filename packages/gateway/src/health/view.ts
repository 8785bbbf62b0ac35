import { HEALTH_ADVICE_TEXTS, type HealthAdvice, type HealthDay, type SessionHealth } from '@parley/contract';
import type { HealthDayRow, NumberHealthRow } from '#store';
import { COUNTS, dayOf } from './counting/counts.ts';
import { holdOf, type PacingDefaults, pacingOf } from './pacing/pacing.ts';
import { adviceOn, standingOf, standingView } from './standing/standing.ts';

/** From so many new chats on, a day says something about them. */
const CHATS_THAT_TELL = 20;
const FEW_REPLIES = 0.1;

export function healthView(
  row: NumberHealthRow,
  days: readonly HealthDayRow[],
  defaults: PacingDefaults,
  now: number,
): SessionHealth {
  const standing = standingOf(row, now);
  const today = countsOf(days.find(({ day }) => day === dayOf(now)));
  const hold = holdOf(row, defaults, now);
  const isIgnored = today.new_chats >= CHATS_THAT_TELL && today.replies < FEW_REPLIES * today.new_chats;
  const advice = [...adviceOn(row, standing, now), ...(isIgnored ? (['check_numbers'] as const) : [])];
  return {
    session_id: row.session_id,
    ...standingView(row, standing, now),
    last_day: {
      ...today,
      ...(today.new_chats > 0 && { reply_rate: Math.round((100 * today.replies) / today.new_chats) / 100 }),
    },
    ...(row.inbound_at !== null && { inbound_last_unix: Math.floor(row.inbound_at / 1_000) }),
    advice: advice.map((code: HealthAdvice) => ({ code, text: HEALTH_ADVICE_TEXTS[code] })),
    pacing: {
      ...pacingOf(row, defaults),
      ...(hold && { held_until_unix: Math.ceil(hold.until / 1_000), held_reason: hold.reason }),
    },
    days: days.map((day) => ({ day: new Date(day.day).toISOString().slice(0, 10), ...countsOf(day) })),
  };
}

function countsOf(row: HealthDayRow | undefined): Omit<HealthDay, 'day'> {
  const counts = COUNTS.map((name) => [name, row?.[name] ?? 0] as const);
  return Object.fromEntries(counts) as Omit<HealthDay, 'day'>;
}
