import type {
  HealthAdvice,
  HealthState,
  NewChats,
  NewChatWarning,
  Restriction,
  SessionReason,
} from '@parley/contract';
import { DAY_MS, HOUR_MS } from '#kernel';
import type { NumberHealthChange } from '#network';
import type { NumberHealthRow } from '#platform/store';

/**
 * Health of a number with the network:
 *
 *     healthy ⇄ watch ⇄ restricted ⇄ banned        any ──the link ends──▶ unlinked ──linked again──▶ healthy
 *
 * - `banned`: locked or banned for good, or banned for a time.
 * - `restricted`: no new chats, because of a lock or because the network's quota of them is used up.
 * - `watch`: a warning of that quota, several new chats refused, the same text to many people, a rate limit on queries, or an
 *   unresponsive network.
 *
 * Each state follows from the last signals and the time alone: the end of a restriction needs no write.
 */

/** An input of the state machine. */
export type Signal =
  /** Over this link, which was created then. */
  | {
      readonly kind: 'connected';
      readonly linkId: string;
      readonly sessionId: string;
      readonly linkedAt: number;
    }
  | {
      readonly kind: 'refused';
      readonly reason: SessionReason;
      readonly until: number | null;
      readonly code?: number;
    }
  | { readonly kind: 'ended'; readonly cause: 'logged_out' | 'locked' | 'banned' }
  | Extract<NumberHealthChange, { kind: 'reachout_lock' | 'new_chat_cap' }>
  /** The network refused a new chat. */
  | { readonly kind: 'new_chat_refused' }
  /** The network refused a new chat because its quota is used up. */
  | { readonly kind: 'new_chats_capped' }
  | { readonly kind: 'rate_overlimit' }
  | { readonly kind: 'deaf' }
  | { readonly kind: 'repeated_text' }
  /** Time has passed without another signal. */
  | { readonly kind: 'time' };

/** Duration that official clients assume for a lock without an end. */
const LOCK_WITHOUT_END_MS = 60_000;
/** Duration of a used-up quota without an announced end. */
const CAP_WITHOUT_END_MS = HOUR_MS;
/** Refused new chats within an hour that count as a pattern. */
const REFUSALS_BEFORE_PAUSE = 3;
const PAUSE_MS = HOUR_MS;

/** Initial row of a number. */
export function unknownHealth(
  { slotId, accountId, sessionId }: { slotId: string; accountId: string; sessionId: string },
  now: number,
): NumberHealthRow {
  return {
    slot_id: slotId,
    account_id: accountId,
    session_id: sessionId,
    link_id: '',
    linked_at: now,
    is_linked: 1,
    state: 'healthy',
    since: now,
    published: publicStateOf(HEALTHY),
    version: 0,
    due_at: null,
    lock_type: null,
    lock_until: null,
    ban_kind: null,
    ban_code: null,
    ban_until: null,
    quota: null,
    quota_used: null,
    quota_ends: null,
    quota_warning: null,
    quota_spent: 0,
    refusals: '[]',
    paused_until: null,
    repeated_until: null,
    trouble_until: null,
    pacing: null,
    inbound_at: null,
  };
}

type Change = Partial<NumberHealthRow>;

export function changeBy(row: NumberHealthRow, signal: Signal, now: number): Change {
  switch (signal.kind) {
    case 'connected': {
      const { linkId, sessionId, linkedAt } = signal;
      const isNew = row.link_id !== linkId && { link_id: linkId, session_id: sessionId, linked_at: linkedAt };
      return { is_linked: 1, ...NOT_BANNED, ...isNew };
    }
    case 'refused':
      return signal.reason === 'temporarily_banned'
        ? { ban_kind: 'temporary_ban', ban_code: signal.code ?? null, ban_until: signal.until }
        : {};
    case 'ended':
      return signal.cause === 'logged_out'
        ? { is_linked: 0 }
        : { is_linked: 0, ban_kind: signal.cause, ban_code: null, ban_until: null };
    case 'reachout_lock':
      return signal.active
        ? { lock_type: signal.type ?? null, lock_until: signal.endsAt ?? now + LOCK_WITHOUT_END_MS }
        : { lock_type: null, lock_until: null };
    case 'new_chat_cap':
      return {
        quota: signal.quota,
        quota_used: signal.used,
        quota_ends: signal.cycleEndsAt ?? null,
        quota_warning: signal.warning,
        quota_spent: notYetCounted(row, signal),
      };
    case 'new_chat_refused':
      return refusedAgain(row, now);
    case 'new_chats_capped':
      // Until the network reports the end of the cycle, the next new chat after a while shows whether it goes on.
      return {
        quota_warning: 'capped',
        quota_ends: isAhead(row.quota_ends, now) ? row.quota_ends : now + CAP_WITHOUT_END_MS,
      };
    case 'rate_overlimit':
    case 'deaf':
      return { trouble_until: now + HOUR_MS };
    case 'repeated_text':
      return { repeated_until: now + DAY_MS };
    case 'time':
      return {};
  }
}

/**
 * Chats begun since the network's last quota report that it had not counted by the next one: they are still queued. A
 * report with an unchanged count has all chats that it is going to count.
 */
function notYetCounted(
  { quota_used, quota_ends, quota_spent }: NumberHealthRow,
  { used, cycleEndsAt }: Extract<Signal, { kind: 'new_chat_cap' }>,
): number {
  const counted = quota_ends === (cycleEndsAt ?? null) ? used - (quota_used ?? used) : 0;
  return counted > 0 ? Math.max(quota_spent - counted, 0) : 0;
}

const NOT_BANNED = { ban_kind: null, ban_code: null, ban_until: null } as const;

function refusedAgain({ refusals }: NumberHealthRow, now: number): Change {
  const recent = (JSON.parse(refusals) as number[]).filter((at) => at > now - HOUR_MS);
  recent.push(now);
  const isPattern = recent.length >= REFUSALS_BEFORE_PAUSE;
  return {
    refusals: JSON.stringify(recent.slice(-REFUSALS_BEFORE_PAUSE)),
    ...(isPattern && { paused_until: now + PAUSE_MS }),
  };
}

/** The public part of a number's health. */
export interface NumberHealth {
  readonly state: HealthState;
  /** When it ends automatically. */
  readonly until: number | null;
  readonly restriction: Restriction | null;
  readonly warning: NewChatWarning | null;
}

const HEALTHY: NumberHealth = { state: 'healthy', until: null, restriction: null, warning: null };

/** Two states with the same text are publicly equal. */
export function publicStateOf({ state, until, restriction, warning }: NumberHealth): string {
  return JSON.stringify([state, until, restriction, warning === 'none' ? null : warning]);
}

export function numberHealthOf(row: NumberHealthRow, now: number): NumberHealth {
  const warning = cycleGoesOn(row, now) ? row.quota_warning : null;
  const { ban_kind: ban, ban_until, ban_code } = row;
  if (ban && (ban_until === null || ban_until > now)) {
    const restriction = { kind: ban, ...(ban_code !== null && { code: ban_code }), ...endsAt(ban_until) };
    return { state: 'banned', until: ban_until, restriction, warning };
  }
  if (!row.is_linked) return { state: 'unlinked', until: null, restriction: null, warning };
  if (isAhead(row.lock_until, now)) {
    const type = row.lock_type;
    const restriction: Restriction = {
      kind: 'reachout_timelock',
      ...(type !== null && { type }),
      ...endsAt(row.lock_until),
    };
    return { state: 'restricted', until: row.lock_until, restriction, warning };
  }
  if (warning === 'capped') {
    const restriction: Restriction = { kind: 'new_chat_cap', ...endsAt(row.quota_ends) };
    return { state: 'restricted', until: row.quota_ends, restriction, warning };
  }
  const signs = [row.paused_until, row.repeated_until, row.trouble_until].filter((at) => isAhead(at, now));
  const isWarned = warning === 'first' || warning === 'second';
  return { ...HEALTHY, state: signs.length === 0 && !isWarned ? 'healthy' : 'watch', warning };
}

export function isAhead(at: number | null, now: number): at is number {
  return at !== null && at > now;
}

/** A warning ends with its cycle. */
function cycleGoesOn({ quota_ends }: NumberHealthRow, now: number): boolean {
  return quota_ends === null || quota_ends > now;
}

function endsAt(at: number | null): { ends_unix?: number } {
  return at === null ? {} : { ends_unix: seconds(at) };
}

/** Ends are rounded up, so that a client that waits until then is not too early. */
function seconds(at: number): number {
  return Math.ceil(at / 1_000);
}

/** The next time at which the state changes with time alone. */
export function nextChange(row: NumberHealthRow, now: number): number | null {
  const times = [
    row.lock_until,
    row.ban_until,
    row.quota_warning === 'none' ? null : row.quota_ends,
    row.paused_until,
    row.repeated_until,
    row.trouble_until,
  ].filter((at) => isAhead(at, now));
  return times.length === 0 ? null : Math.min(...times);
}

function newChatsOf(row: NumberHealthRow, now: number): NewChats | undefined {
  const { quota, quota_used, quota_spent, quota_ends } = row;
  if (quota === null || !cycleGoesOn(row, now)) return undefined;
  return {
    quota,
    used: (quota_used ?? 0) + quota_spent,
    ...(quota_ends !== null && { cycle_ends_unix: seconds(quota_ends) }),
    warning: row.quota_warning ?? 'none',
  };
}

/** The fields of the resource and the event. */
export function numberHealthView(
  row: NumberHealthRow,
  { state, until, restriction }: NumberHealth,
  now: number,
) {
  const newChats = newChatsOf(row, now);
  return {
    state,
    since_unix: Math.floor(row.since / 1_000),
    ...(until !== null && { until_unix: seconds(until) }),
    ...(restriction && { restriction }),
    ...(newChats && { new_chats: newChats }),
  };
}

export function recommendationFor(
  row: NumberHealthRow,
  { state, restriction, warning }: NumberHealth,
  now: number,
): HealthAdvice[] {
  const advice: HealthAdvice[] = [];
  const isForGood = restriction?.kind === 'locked' || restriction?.kind === 'banned';
  if (state === 'restricted') advice.push('stop_new_chats');
  if (restriction && !isForGood) advice.push('wait_until');
  if (isForGood) advice.push('appeal_on_phone');
  if (state === 'unlinked') advice.push('link_again');
  if (warning === 'first' || warning === 'second') advice.push('slow_down_new_chats');
  if (isAhead(row.paused_until, now)) advice.push('ask_people_to_write_first');
  if (isAhead(row.repeated_until, now)) advice.push('vary_texts');
  return advice;
}
