import type { HostedSession, Session, Worker } from '@parley/contract';
import { type Moment, standingOf } from './status.ts';
import type { HeldRow } from './store.ts';

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
