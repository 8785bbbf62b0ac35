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

export function workerView({ worker, sessions, started_at, last_seen }: WorkerSummary): Worker {
  return {
    worker,
    sessions,
    started_at: new Date(started_at).toISOString(),
    last_seen: new Date(last_seen).toISOString(),
  };
}
