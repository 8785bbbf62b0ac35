import {
  type HostedSession,
  isRefusal,
  type Session,
  type SessionReason,
  type SessionStatus,
  type Worker,
} from '@parley/contract';
import type { SessionRow } from '#platform/store';
import type { HeldRow } from './session-queries.ts';

/**
 * Public status of a link:
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
 * - `reconnecting`: no connection for less than five minutes. Its host retries, or the next host when that one died.
 *   A login that waits for its owner's passkey stays `reconnecting`.
 * - `offline`: no connection for five minutes, with retries for ever; or the network refuses it for now, with a retry at the end of the
 *   refusal. Success leads straight to `connected`.
 * - `logged_out`: final; only pairing helps.
 *
 * `offline` is not stored: it follows from the time, or from the reason. The same holds for a host that died.
 */
export const OFFLINE_AFTER_MS = 5 * 60_000;

export interface ObservedStatus {
  readonly status: SessionStatus;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Why it is not connected, where known. */
  readonly why?: Reason;
}

export interface Reason {
  readonly reason: SessionReason;
  readonly detail: string;
  /** When the network lets the number in again, as announced by it (epoch milliseconds). */
  readonly until: number | null;
}

/** The moment on both clocks: `now` can travel, leases run on the machine's own. */
export interface Moment {
  readonly now: number;
  readonly machineNow: number;
}

export type LeasedRow = Pick<SessionRow, 'status' | 'since' | 'reason' | 'reason_detail' | 'reason_until'> & {
  /** Of its host; null without a host. */
  readonly lease_expires_at: number | null;
};

export function observedStatusOf(row: LeasedRow, { now, machineNow }: Moment): ObservedStatus {
  if (row.status === 'logged_out') return { status: 'logged_out', since: row.since, ...reasonOf(row) };
  const lease = row.lease_expires_at;
  const isHosted = lease !== null && lease > machineNow;
  if (row.status === 'connected' && isHosted) return { status: 'connected', since: row.since };
  // Sends wait for its owner, however long that takes.
  if (row.reason === 'passkey_required')
    return { status: 'reconnecting', since: row.since, ...reasonOf(row) };
  if (isRefusal(row.reason)) return { status: 'offline', since: row.since, ...reasonOf(row) };

  const lostAt = row.status === 'connected' && lease !== null ? now - (machineNow - lease) : row.since;
  return now - lostAt < OFFLINE_AFTER_MS
    ? { status: 'reconnecting', since: lostAt, ...reasonOf(row) }
    : { status: 'offline', since: lostAt + OFFLINE_AFTER_MS, ...reasonOf(row) };
}

function reasonOf({ reason, reason_detail, reason_until }: LeasedRow): Pick<ObservedStatus, 'why'> {
  return reason === null ? {} : { why: { reason, detail: reason_detail ?? '', until: reason_until } };
}

/** Linked and expected back: sends wait for it, and pairing again is refused. */
export function isOnline({ status }: Pick<ObservedStatus, 'status'>): boolean {
  return status === 'connected' || status === 'reconnecting';
}

export function sessionView(row: HeldRow, moment: Moment): Session {
  const { status, since, why } = observedStatusOf(row, moment);
  const since_unix = Math.floor(since / 1_000);
  const { session_id, phone, presence_policy } = row;
  return { session_id, phone, status, since_unix, presence_policy, ...reasonView(why) };
}

/** The fields of sessions and events. */
export function reasonView(why: Reason | undefined): Pick<Session, 'reason' | 'detail' | 'until_unix'> {
  if (!why) return {};
  const { reason, detail, until } = why;
  return { reason, detail, ...(until === null ? {} : { until_unix: Math.ceil(until / 1_000) }) };
}

/** For the operator: includes the host. */
export function hostedSessionView(row: HeldRow, moment: Moment): HostedSession {
  const { status, since, why } = observedStatusOf(row, moment);
  const isHosted = row.lease_expires_at !== null && row.lease_expires_at > moment.machineNow;
  return {
    session_id: row.session_id,
    account_id: row.account_id,
    phone: row.phone,
    status,
    worker: isHosted ? row.worker : null,
    since: new Date(since).toISOString(),
    ...reasonView(why),
  };
}

export interface WorkerSummary {
  readonly worker: string;
  readonly started_at: number;
  readonly last_seen: number;
  readonly sessions: number;
}

/**
 * Workers live by the machine's clock, which does not travel. Their times are shown on the gateway's clock, like all
 * others beside them.
 */
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
