import type {
  HealthAdvice,
  HealthState,
  NewChats,
  NewChatWarning,
  Restriction,
  SessionReason,
} from '@parley/contract';
import type { StandingNews } from '#network';
import type { NumberHealthRow } from '#store';

/**
 * How a number stands with the network:
 *
 *     healthy ⇄ watch ⇄ restricted ⇄ banned        any ──the link ends──▶ unlinked ──linked again──▶ healthy
 *
 * - `banned`: locked or banned for good, or banned for a time.
 * - `restricted`: no new chats, because of a lock or because the network's quota of them is used up.
 * - `watch`: a warning of that quota, several new chats refused, the same text to many, or a network that found us too curious or went deaf.
 *
 * Each follows from what was said last and from the time alone: nothing has to be undone when a restriction ends.
 */

/** Something that bears on it. */
export type Signal =
  /** Over this link, which was made then. */
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
  | Extract<StandingNews, { kind: 'reachout_lock' | 'new_chat_cap' }>
  /** The network refused to begin a chat. */
  | { readonly kind: 'new_chat_refused' }
  | { readonly kind: 'rate_overlimit' }
  | { readonly kind: 'deaf' }
  | { readonly kind: 'repeated_text' }
  /** Nothing but that time has passed. */
  | { readonly kind: 'time' };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What official clients take for a lock of which no end is told. */
const LOCK_WITHOUT_END_MS = 60_000;
/** So many refused new chats within an hour are a pattern. */
const REFUSALS_BEFORE_PAUSE = 3;
const PAUSE_MS = HOUR_MS;

/** A number of which nothing is known yet. */
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
    told: toldOf(HEALTHY),
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
 * Of the chats begun since the network said how many there were, those that it had not heard of when it said so again: they are on their
 * way. When it says the same as before, it has heard of all that it is going to count.
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

/** What the outside is told of it. */
export interface Standing {
  readonly state: HealthState;
  /** When it ends by itself. */
  readonly until: number | null;
  readonly restriction: Restriction | null;
  readonly warning: NewChatWarning | null;
}

const HEALTHY: Standing = { state: 'healthy', until: null, restriction: null, warning: null };

/** Two standings are the same to the outside when this is. */
export function toldOf({ state, until, restriction, warning }: Standing): string {
  return JSON.stringify([state, until, restriction, warning === 'none' ? null : warning]);
}

export function standingOf(row: NumberHealthRow, now: number): Standing {
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

/** A warning ends with the cycle that it was for. */
function cycleGoesOn({ quota_ends }: NumberHealthRow, now: number): boolean {
  return quota_ends === null || quota_ends > now;
}

function endsAt(at: number | null): { ends_unix?: number } {
  return at === null ? {} : { ends_unix: seconds(at) };
}

/** Ends are rounded up: whoever waits until then is not too early. */
function seconds(at: number): number {
  return Math.ceil(at / 1_000);
}

/** The next moment in which time alone changes the standing. */
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

/** As the resource and the event tell it. */
export function standingView(row: NumberHealthRow, { state, until, restriction }: Standing, now: number) {
  const newChats = newChatsOf(row, now);
  return {
    state,
    since_unix: Math.floor(row.since / 1_000),
    ...(until !== null && { until_unix: seconds(until) }),
    ...(restriction && { restriction }),
    ...(newChats && { new_chats: newChats }),
  };
}

export function adviceOn(
  row: NumberHealthRow,
  { state, restriction, warning }: Standing,
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
