import type { SessionStatus } from '@parley/contract';
import type { SessionRow } from '#store';

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
