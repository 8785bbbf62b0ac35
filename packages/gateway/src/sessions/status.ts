import type { HostedSession, Session, SessionStatus, Worker } from '@parley/contract';
import type { SessionRow } from '#store';
import type { HeldRow } from './store.ts';

/**
 * What the outside sees of a link:
 *
 *     (paired) ──▶ reconnecting ◀──lost── connected
 *                   │   ▲    └──login──▶
 *      five minutes │   │ login (by way of connected)
 *                   ▼   │
 *                  offline            any ──unlinked by the phone, banned──▶ logged_out ──paired again──▶ reconnecting
 *
 * - `connected`: its host has an open connection.
 * - `reconnecting`: there is none since less than five minutes. It is being made: by its host, or by the next one when the host died.
 * - `offline`: there was none for five minutes. It is still tried for ever; success leads straight to `connected`.
 * - `logged_out`: over; only pairing helps.
 *
 * `offline` is nothing that anybody does, so nobody stores it: it follows from the time. The same holds for a host that died.
 */
export const OFFLINE_AFTER_MS = 5 * 60_000;

export interface Standing {
  readonly status: SessionStatus;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The moment, on both clocks: `now` can travel, leases run on the machine's own. */
export interface Moment {
  readonly now: number;
  readonly machineNow: number;
}

export type LeasedRow = Pick<SessionRow, 'status' | 'since'> & {
  /** Of its host; null when it has none. */
  readonly lease_expires_at: number | null;
};

export function standingOf(row: LeasedRow, { now, machineNow }: Moment): Standing {
  if (row.status === 'logged_out') return { status: 'logged_out', since: row.since };
  const lease = row.lease_expires_at;
  const isHosted = lease !== null && lease > machineNow;
  if (row.status === 'connected' && isHosted) return { status: 'connected', since: row.since };

  const lostAt = row.status === 'connected' && lease !== null ? now - (machineNow - lease) : row.since;
  return now - lostAt < OFFLINE_AFTER_MS
    ? { status: 'reconnecting', since: lostAt }
    : { status: 'offline', since: lostAt + OFFLINE_AFTER_MS };
}

/** Linked and expected back: what is sent now waits for it, and pairing once more is refused. */
export function isOnline({ status }: Pick<Standing, 'status'>): boolean {
  return status === 'connected' || status === 'reconnecting';
}

export function sessionView(row: HeldRow, moment: Moment): Session {
  const { status, since } = standingOf(row, moment);
  return { session_id: row.session_id, phone: row.phone, status, since_unix: Math.floor(since / 1_000) };
}

/** For the operator: also where it is hosted. */
export function hostedSessionView(row: HeldRow, moment: Moment): HostedSession {
  const { status, since } = standingOf(row, moment);
  const isHosted = row.lease_expires_at !== null && row.lease_expires_at > moment.machineNow;
  return {
    session_id: row.session_id,
    account_id: row.account_id,
    phone: row.phone,
    status,
    worker: isHosted ? row.worker : null,
    since: new Date(since).toISOString(),
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
