import type { Bus } from '#bus';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import { CHANGED_TOPIC } from './hosting/host.ts';
import { isOnline, standingOf } from './status.ts';
import { findSession, findSessions, type HeldRow } from './store.ts';
import type { HostedSessions, SessionOverview, SessionState } from './types.ts';

export interface StatesParts {
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
 * What is connected here is known for certain. Of what is hosted elsewhere a yes may be one second old; a no is never old, so that
 * nobody is refused who has just come back.
 */
export function createSessionStates(parts: StatesParts): SessionOverview & { close(): void } {
  const { store, bus, clock, machineClock, hosted, connectedSince } = parts;
  const remembered = new Map<string, Remembered>();
  /** The latest look at each number that is under way. */
  const looks = new Map<string, symbol>();
  const changes = bus.subscribe(CHANGED_TOPIC, (slotId) => {
    remembered.delete(String(slotId));
    // What it reads may be from before the change.
    looks.delete(String(slotId));
  });

  /** Time alone can change it, so it is told anew from what was read. */
  function stateOf(row: HeldRow): SessionState {
    const standing = standingOf(row, { now: clock.now(), machineNow: machineClock.now() });
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

  /** Undefined when it is not known from memory. */
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
