import type { HoldReason, Pacing } from '@parley/contract';
import { WARM_UP_DEFAULT_DAYS } from '@parley/contract/plain';
import type { NumberHealthRow } from '#store';
import { DAY_MS, HOUR_MS } from '../counting/counts.ts';
import { isAhead } from '../standing/standing.ts';

/** May this number begin one more chat? Pure: whoever keeps the rows writes down what follows. */

/** One more than a day has: whatever minute it is, the last 24 hours lie within. */
const HOURS_COUNTED = 25;

export const DEFAULT_PACING: Pacing = {
  hold_new_chats: true,
  respect_quota: true,
  pause_after_refusals: true,
  daily_new_chats: 0,
  warm_up_days: WARM_UP_DEFAULT_DAYS,
  gap_min_seconds: 0,
  gap_max_seconds: 0,
};

/** Why a send to somebody new has to wait, and until when (epoch ms). */
export interface Hold {
  readonly reason: HoldReason;
  readonly until: number;
}

export type PacedRow = Pick<
  NumberHealthRow,
  | 'pacing'
  | 'lock_until'
  | 'paused_until'
  | 'quota'
  | 'quota_used'
  | 'quota_ends'
  | 'quota_warning'
  | 'quota_spent'
  | 'linked_at'
>;

export interface PacingDefaults {
  /** Of numbers for which nothing else was chosen; 0: no limit. */
  readonly dailyNewChats: number;
}

/** What was chosen for a number, with what holds without a choice. */
export function pacingOf({ pacing }: Pick<PacedRow, 'pacing'>, { dailyNewChats }: PacingDefaults): Pacing {
  const defaults = { ...DEFAULT_PACING, daily_new_chats: dailyNewChats };
  return pacing === null ? defaults : { ...defaults, ...(JSON.parse(pacing) as Partial<Pacing>) };
}

/** A message to somebody without a chat that asks to go now. */
interface FirstMessage {
  readonly row: PacedRow;
  /** Of its number, as the row of its limits has them. */
  readonly newChats: string;
  readonly defaults: PacingDefaults;
  readonly now: number;
  /** One before it is on its way to them already, and counted. */
  readonly isBegun?: boolean;
}

/** The longest of all that stands in its way; undefined: it may go. */
export function holdOf({ row, newChats, defaults, now, isBegun = false }: FirstMessage): Hold | undefined {
  if (isFree(row, defaults)) return undefined;
  const pacing = pacingOf(row, defaults);
  const holds = [
    ...(pacing.hold_new_chats ? [lockHold(row)] : []),
    ...(pacing.hold_new_chats && row.quota_warning === 'capped' ? [quotaHold(row, now)] : []),
    ...(pacing.respect_quota && !isBegun && isQuotaSpent(row) ? [quotaHold(row, now)] : []),
    ...(pacing.pause_after_refusals && row.paused_until !== null
      ? [{ reason: 'refused_new_chats', until: row.paused_until } as const]
      : []),
    ...(isBegun ? [] : [budgetHold(row, newChats, pacing, now)]),
  ];
  let longest: Hold | undefined;
  for (const hold of holds)
    if (hold && hold.until > now && (!longest || hold.until > longest.until)) longest = hold;
  return longest;
}

/** Whether the network, by its own word, would refuse a new chat now, so that one that was accepted before had better wait. */
export function mayBeRefused(
  row: Pick<PacedRow, 'pacing' | 'lock_until' | 'paused_until' | 'quota_ends' | 'quota_warning'>,
  now: number,
): boolean {
  const { lock_until, paused_until, quota_warning } = row;
  if (lock_until === null && paused_until === null && quota_warning !== 'capped') return false;
  const pacing = pacingOf(row, { dailyNewChats: 0 });
  return (
    (pacing.hold_new_chats && isAhead(lock_until, now)) ||
    (pacing.hold_new_chats && quota_warning === 'capped' && quotaHold(row, now).until > now) ||
    (pacing.pause_after_refusals && isAhead(paused_until, now))
  );
}

/** Nearly every number, and nearly always: nothing was ever said about it, and nothing chosen. */
function isFree(row: PacedRow, { dailyNewChats }: PacingDefaults): boolean {
  return (
    row.lock_until === null &&
    row.paused_until === null &&
    row.quota === null &&
    row.pacing === null &&
    dailyNewChats === 0
  );
}

function lockHold({ lock_until }: PacedRow): Hold | undefined {
  return lock_until === null ? undefined : { reason: 'reachout_timelock', until: lock_until };
}

function isQuotaSpent({ quota, quota_used, quota_spent }: PacedRow): boolean {
  return quota !== null && quota > 0 && (quota_used ?? 0) + quota_spent >= quota;
}

/** Without a word about the end of the cycle it is asked for again soon: the network tells it with every connect and daily. */
function quotaHold({ quota_ends }: Pick<PacedRow, 'quota_ends'>, now: number): Hold {
  return { reason: 'new_chat_cap', until: quota_ends ?? now + HOUR_MS };
}

function budgetHold(row: PacedRow, newChats: string, pacing: Pacing, now: number): Hold | undefined {
  const budget = budgetOf(row.linked_at, pacing, now);
  if (budget === undefined) return undefined;
  const recent = hoursOf(newChats, now);
  let begun = recent.reduce((sum, [, count]) => sum + count, 0);
  if (begun < budget) return undefined;
  // Those of the oldest hours leave first.
  for (const [hour, count] of recent) {
    begun -= count;
    if (begun < budget) return { reason: 'new_chat_budget', until: (hour + HOURS_COUNTED) * HOUR_MS };
  }
  return undefined;
}

/** How many new chats there may be within 24 hours; undefined: as many as one likes. */
export function budgetOf(
  linkedAt: number,
  { daily_new_chats: whole, warm_up_days: days }: Pacing,
  now: number,
): number | undefined {
  if (whole === 0) return undefined;
  const age = Math.max(Math.floor((now - linkedAt) / DAY_MS), 0);
  return age >= days ? whole : Math.max(1, Math.floor((whole * (age + 1)) / (days + 1)));
}

type Hours = readonly (readonly [hour: number, count: number])[];

/** The oldest first; what is older than a day is left out. */
function hoursOf(text: string, now: number): Hours {
  const oldest = oldestCounted(now);
  return allHours(text).filter(([hour]) => hour >= oldest);
}

function allHours(text: string): Hours {
  return text === '[]' ? [] : (JSON.parse(text) as Hours);
}

function oldestCounted(now: number): number {
  return Math.floor(now / HOUR_MS) - HOURS_COUNTED + 1;
}

/** New chats of one hour. */
export interface NewChatsInHour {
  /** Its beginning (epoch ms). */
  readonly at: number;
  readonly by: number;
}

export function newChatsByHour(text: string): NewChatsInHour[] {
  return allHours(text).map(([hour, by]) => ({ at: hour * HOUR_MS, by }));
}

/** The same with a new chat that begins now, and the hours that it no longer holds: they are to be counted elsewhere. */
export function withNewChat(text: string, now: number): { text: string; past: NewChatsInHour[] } {
  const hour = Math.floor(now / HOUR_MS);
  const oldest = oldestCounted(now);
  const hours = allHours(text);
  const others = hours.filter(([each]) => each !== hour && each >= oldest);
  const before = hours.find(([each]) => each === hour)?.[1] ?? 0;
  const past = hours.filter(([each]) => each < oldest).map(([each, by]) => ({ at: each * HOUR_MS, by }));
  return { text: JSON.stringify([...others, [hour, before + 1]]), past };
}

/** For callers: until when, and why. */
export function wordsFor({ reason, until }: Hold): string {
  return `${WHY[reason]}, until ${new Date(Math.ceil(until / 1_000) * 1_000).toISOString().replace('.000', '')}`;
}

const WHY: Readonly<Record<HoldReason, string>> = {
  reachout_timelock: 'the network lets it begin no new chats',
  new_chat_cap: 'the network’s quota of new chats is used up',
  refused_new_chats: 'the network has refused several new chats',
  new_chat_budget: 'its budget of new chats is used up',
};
