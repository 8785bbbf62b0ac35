import type { HoldReason, Pacing } from '@parley/contract';
import { WARM_UP_DEFAULT_DAYS } from '@parley/contract/plain';
import { DAY_MS, HOUR_MS } from '#kernel';
import type { NumberHealthRow } from '#platform/store';
import { isAhead } from '../state/number-health.ts';

/** Decides whether a number may begin one more chat. Pure: the caller stores the rows. */

/** 24 full hours plus the current partial one always cover the last 24 hours. */
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

/** Why a send to a new person has to wait, and until when (epoch ms). */
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
  /** Of numbers without a setting of their own; 0: no limit. */
  readonly dailyNewChats: number;
}

/** Pacing of a number, with defaults for absent settings. */
export function pacingOf({ pacing }: Pick<PacedRow, 'pacing'>, { dailyNewChats }: PacingDefaults): Pacing {
  const defaults = { ...DEFAULT_PACING, daily_new_chats: dailyNewChats };
  return pacing === null ? defaults : { ...defaults, ...(JSON.parse(pacing) as Partial<Pacing>) };
}

/** A message to a person without a chat. */
interface FirstMessage {
  readonly row: PacedRow;
  /** New chats of the number, as in the row of its limits. */
  readonly newChats: string;
  readonly defaults: PacingDefaults;
  readonly now: number;
  /** An earlier message to the person is queued and counted already. */
  readonly isBegun?: boolean;
}

/** The longest hold that applies; undefined: it may go. */
export function holdOf({ row, newChats, defaults, now, isBegun = false }: FirstMessage): Hold | undefined {
  if (hasNoPacing(row, defaults)) return undefined;
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

/**
 * Whether the network, by its own announcements, would refuse a new chat now, so that an accepted message should
 * wait.
 */
export function networkWouldRefuseNewChat(
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

/** Fast path for nearly every number: no restriction and no pacing. */
function hasNoPacing(row: PacedRow, { dailyNewChats }: PacingDefaults): boolean {
  return (
    row.lock_until === null &&
    row.paused_until === null &&
    row.quota === null &&
    row.quota_warning !== 'capped' &&
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

/**
 * Without an announced end it is checked again soon: the network announces the quota with every connect and daily.
 */
function quotaHold({ quota_ends }: Pick<PacedRow, 'quota_ends'>, now: number): Hold {
  return { reason: 'new_chat_cap', until: quota_ends ?? now + HOUR_MS };
}

function budgetHold(row: PacedRow, newChats: string, pacing: Pacing, now: number): Hold | undefined {
  const budget = budgetOf(row.linked_at, pacing, now);
  if (budget === undefined) return undefined;
  const recent = hoursOf(newChats, now);
  let begun = recent.reduce((sum, [, count]) => sum + count, 0);
  if (begun < budget) return undefined;
  // The oldest hours expire first.
  for (const [hour, count] of recent) {
    begun -= count;
    if (begun < budget) return { reason: 'new_chat_budget', until: (hour + HOURS_COUNTED) * HOUR_MS };
  }
  return undefined;
}

/** Limit of new chats within 24 hours; undefined: none. */
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

/** The oldest first, without hours older than a day. */
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
  /** Start of the hour (epoch ms). */
  readonly at: number;
  readonly by: number;
}

export function newChatsByHour(text: string): NewChatsInHour[] {
  return allHours(text).map(([hour, by]) => ({ at: hour * HOUR_MS, by }));
}

/** Adds a new chat now; `past` has the expired hours, to be counted elsewhere. */
export function withNewChat(text: string, now: number): { text: string; past: NewChatsInHour[] } {
  const hour = Math.floor(now / HOUR_MS);
  const oldest = oldestCounted(now);
  const hours = allHours(text);
  const others = hours.filter(([each]) => each !== hour && each >= oldest);
  const before = hours.find(([each]) => each === hour)?.[1] ?? 0;
  const past = hours.filter(([each]) => each < oldest).map(([each, by]) => ({ at: each * HOUR_MS, by }));
  return { text: JSON.stringify([...others, [hour, before + 1]]), past };
}

/** Reason and end of a hold, for callers. */
export function describeHold({ reason, until }: Hold): string {
  return `${REASONS[reason]}, until ${new Date(Math.ceil(until / 1_000) * 1_000).toISOString().replace('.000', '')}`;
}

const REASONS: Readonly<Record<HoldReason, string>> = {
  reachout_timelock: 'the network lets it begin no new chats',
  new_chat_cap: 'the network’s quota of new chats is used up',
  refused_new_chats: 'the network has refused several new chats',
  new_chat_budget: 'its budget of new chats is used up',
};

/** Whether a message to this address goes to one person. */
export function isPersonal(to: string): boolean {
  return to.endsWith('@s.whatsapp.net') || to.endsWith('@lid');
}
