import { SESSION_STATUSES } from '@parley/contract';
import type { Store } from '#store';
import { type Moment, OFFLINE_AFTER_MS, standingOf } from './status.ts';
import { countAlike } from './store.ts';

/** How many linked numbers are in each state. Counted by the database, so that a thousand numbers cost no more here than ten. */
export async function sessionsByState(
  { read }: Pick<Store, 'read'>,
  { now, machineNow }: Moment,
): Promise<Map<string, number>> {
  const groups = await countAlike(read, {
    lostAfter: now - OFFLINE_AFTER_MS,
    leasedAfter: machineNow,
    leasedLatelyAfter: machineNow - OFFLINE_AFTER_MS,
  });
  const counts = new Map<string, number>(SESSION_STATUSES.map((status) => [status, 0]));
  for (const { count, is_recent, lease, ...row } of groups) {
    // One that stands for all of its group: they differ in nothing that decides.
    const one = {
      ...row,
      since: is_recent === 1 ? now : 0,
      lease_expires_at: LEASES.get(lease)?.(machineNow) ?? null,
      reason_detail: null,
      reason_until: null,
    };
    const { status } = standingOf(one, { now, machineNow });
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
