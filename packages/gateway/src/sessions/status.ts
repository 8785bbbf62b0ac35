import {
  type HostedSession,
  isRefusal,
  type Session,
  type SessionReason,
  type SessionStatus,
  type Worker,
} from '@parley/contract';
import type { SessionRow } from '#store';
import type { HeldRow } from './store.ts';

/**
 * What the outside sees of a link:
 *
 *     (paired) ──▶ reconnecting ◀──lost── connected
 *                   │   ▲    └──login──▶
 *      five minutes │   │ login (by way of connected)
 *                   ▼   │
 *                  offline            any ──unlinked, locked, banned──▶ logged_out ──paired again──▶ reconnecting
 *                     ▲
 *          any ──banned for a time, client refused
 *
 * - `connected`: its host has an open connection.
 * - `reconnecting`: there is none since less than five minutes. It is being made: by its host, or by the next one when the host died.
 * - `offline`: there was none for five minutes, and it is still tried for ever; or the network does not let it in for now, and it is
 *   tried again when it is time. Success leads straight to `connected`.
 * - `logged_out`: over; only pairing helps.
 *
 * `offline` is nothing that anybody does, so nobody stores it: it follows from the time, or from the reason. The same holds for a host
 * that died.
 */
export const OFFLINE_AFTER_MS = 5 * 60_000;

export interface Standing {
  readonly status: SessionStatus;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Why it is not connected, where that is known. */
  readonly why?: Why;
}

export interface Why {
  readonly reason: SessionReason;
  readonly detail: string;
  /** When the network lets the number in again, by its own word (epoch milliseconds). */
  readonly until: number | null;
}

/** The moment, on both clocks: `now` can travel, leases run on the machine's own. */
export interface Moment {
  readonly now: number;
  readonly machineNow: number;
}

export type LeasedRow = Pick<SessionRow, 'status' | 'since' | 'reason' | 'reason_detail' | 'reason_until'> & {
  /** Of its host; null when it has none. */
  readonly lease_expires_at: number | null;
};

export function standingOf(row: LeasedRow, { now, machineNow }: Moment): Standing {
  if (row.status === 'logged_out') return { status: 'logged_out', since: row.since, ...whyOf(row) };
  const lease = row.lease_expires_at;
  const isHosted = lease !== null && lease > machineNow;
  if (row.status === 'connected' && isHosted) return { status: 'connected', since: row.since };
  if (isRefusal(row.reason)) return { status: 'offline', since: row.since, ...whyOf(row) };

  const lostAt = row.status === 'connected' && lease !== null ? now - (machineNow - lease) : row.since;
  return now - lostAt < OFFLINE_AFTER_MS
    ? { status: 'reconnecting', since: lostAt, ...whyOf(row) }
    : { status: 'offline', since: lostAt + OFFLINE_AFTER_MS, ...whyOf(row) };
}

function whyOf({ reason, reason_detail, reason_until }: LeasedRow): Pick<Standing, 'why'> {
  return reason === null ? {} : { why: { reason, detail: reason_detail ?? '', until: reason_until } };
}

/** Linked and expected back: what is sent now waits for it, and pairing once more is refused. */
export function isOnline({ status }: Pick<Standing, 'status'>): boolean {
  return status === 'connected' || status === 'reconnecting';
}

export function sessionView(row: HeldRow, moment: Moment): Session {
  const { status, since, why } = standingOf(row, moment);
  const since_unix = Math.floor(since / 1_000);
  const { session_id, phone, presence_policy } = row;
  return { session_id, phone, status, since_unix, presence_policy, ...whyView(why) };
}

/** As sessions and events tell it. */
export function whyView(why: Why | undefined): Pick<Session, 'reason' | 'detail' | 'until_unix'> {
  if (!why) return {};
  const { reason, detail, until } = why;
  return { reason, detail, ...(until === null ? {} : { until_unix: Math.ceil(until / 1_000) }) };
}

/** For the operator: also where it is hosted. */
export function hostedSessionView(row: HeldRow, moment: Moment): HostedSession {
  const { status, since, why } = standingOf(row, moment);
  const isHosted = row.lease_expires_at !== null && row.lease_expires_at > moment.machineNow;
  return {
    session_id: row.session_id,
    account_id: row.account_id,
    phone: row.phone,
    status,
    worker: isHosted ? row.worker : null,
    since: new Date(since).toISOString(),
    ...whyView(why),
  };
}

export interface WorkerSummary {
  readonly worker: string;
  readonly started_at: number;
  readonly last_seen: number;
  readonly sessions: number;
}

/** Workers live by the machine's clock, which does not travel. They are told by the gateway's, like all other times beside them. */
export function workerView(
  { worker, sessions, started_at, last_seen }: WorkerSummary,
  { now, machineNow }: Moment,
): Worker {
  const travelled = now - machineNow;
  return {
    worker,
    sessions,
    started_at: new Date(started_at + travelled).toISOString(),
    last_seen: new Date(last_seen + travelled).toISOString(),
  };
}
