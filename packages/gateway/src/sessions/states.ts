import { SESSION_STATUSES } from '@parley/contract';
import type { Clock } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { CHANGED_TOPIC } from './hosting/host.ts';
import { countByState, findSession, findSessions, type HeldRow } from './session-queries.ts';
import { isOnline, type Moment, OFFLINE_AFTER_MS, observedStatusOf } from './status.ts';
import type { HostedSessions, SessionOverview, SessionState } from './types.ts';

interface StatesParts {
  readonly store: Pick<Store, 'read'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly machineClock: Pick<Clock, 'now' | 'monotonic'>;
  readonly hosted: HostedSessions;
  readonly connectedSince: (slotId: string) => number | undefined;
}

interface Remembered {
  readonly row: HeldRow;
  readonly readAt: number;
}

const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 50_000;

/**
 * States of sessions hosted here are exact. Of sessions hosted elsewhere a positive state may be one second old; a
 * negative one is always read afresh, so that no number is refused that has just come back.
 */
export function createSessionStates(parts: StatesParts): SessionOverview & { close(): void } {
  const { store, bus, clock, machineClock, hosted, connectedSince } = parts;
  const remembered = new Map<string, Remembered>();
  /** The latest read under way for each number. */
  const looks = new Map<string, symbol>();
  const changes = bus.subscribe(CHANGED_TOPIC, (slotId) => {
    remembered.delete(String(slotId));
    // That read may be from before the change.
    looks.delete(String(slotId));
  });

  /** Computed anew on each call, because time alone can change it. */
  function stateOf(row: HeldRow): SessionState {
    const standing = observedStatusOf(row, { now: clock.now(), machineNow: machineClock.now() });
    return { sessionId: row.session_id, ...standing };
  }

  function recall(slotId: string): SessionState | undefined {
    const known = remembered.get(slotId);
    if (!known || machineClock.monotonic() - known.readAt >= REMEMBERED_MS) return undefined;
    const state = stateOf(known.row);
    return isOnline(state) ? state : undefined;
  }

  function remember(slotId: string, read: Remembered): void {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(slotId, read);
  }

  async function look(slotId: string): Promise<SessionState | undefined> {
    const readAt = machineClock.monotonic();
    const look = Symbol();
    looks.set(slotId, look);
    try {
      const row = await findSession(store.read, slotId);
      if (row && looks.get(slotId) === look) remember(slotId, { row, readAt });
      return row && stateOf(row);
    } finally {
      if (looks.get(slotId) === look) looks.delete(slotId);
    }
  }

  /** Undefined when it is not in memory. */
  function known(slotId: string): SessionState | undefined {
    const since = connectedSince(slotId);
    const here = since === undefined ? undefined : hosted.get(slotId);
    if (here && since !== undefined) return { sessionId: here.sessionId, status: 'connected', since };
    return recall(slotId);
  }

  return {
    find: (slotId) => known(slotId) ?? look(slotId),
    async findAll(slotIds) {
      const found = new Map<string, SessionState>();
      const unknown: string[] = [];
      for (const slotId of slotIds) {
        const state = known(slotId);
        if (state) found.set(slotId, state);
        else unknown.push(slotId);
      }
      for (const row of await findSessions(store.read, unknown)) found.set(row.slot_id, stateOf(row));
      return found;
    },
    close: () => changes.stop(),
  };
}

/** Counts linked numbers by state. The database counts, so the cost does not grow with the numbers. */
export async function sessionsByState(
  { read }: Pick<Store, 'read'>,
  { now, machineNow }: Moment,
): Promise<Map<string, number>> {
  const groups = await countByState(read, {
    lostAfter: now - OFFLINE_AFTER_MS,
    leasedAfter: machineNow,
    leasedLatelyAfter: machineNow - OFFLINE_AFTER_MS,
  });
  const counts = new Map<string, number>(SESSION_STATUSES.map((status) => [status, 0]));
  for (const { count, is_recent, lease, ...row } of groups) {
    // Stands for its whole group: its rows do not differ in any field that decides the status.
    const one = {
      ...row,
      since: is_recent === 1 ? now : 0,
      lease_expires_at: LEASES.get(lease)?.(machineNow) ?? null,
      reason_detail: null,
      reason_until: null,
    };
    const { status } = observedStatusOf(one, { now, machineNow });
    counts.set(status, (counts.get(status) ?? 0) + Number(count));
  }
  return counts;
}

/** Held, lapsed lately, lapsed long ago. */
const LEASES = new Map<number, (machineNow: number) => number>([
  [2, (machineNow) => machineNow + 1],
  [1, (machineNow) => machineNow],
  [0, () => 0],
]);
