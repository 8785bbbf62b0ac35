import { parseSessionId } from '@parley/contract';
import type { Actor } from '#accounts';
import type { EventLog } from '#events';
import type { HealthNote } from '#health';
import { ApiError, type Clock } from '#kernel';
import type { Bus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { CHANGED_TOPIC } from '../hosting/host.ts';
import { connectionEvent } from '../hosting/status-reporter.ts';
import { logOutAtHost } from '../hosting/worker.ts';
import { findSession, releaseUnlinkJob } from '../session-queries.ts';
import type { GetHost } from '../types.ts';
import { endLink } from '../write-commands.ts';
import { ENDING_TOPIC } from './unlink-jobs.ts';

export interface EndContext {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly machineClock: Pick<Clock, 'now'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly getHost: GetHost;
}

export interface Ending {
  /** Undefined: part of another operation with a record of its own, like the removal of the number. */
  readonly by?: Actor | undefined;
  readonly device?: number | null | undefined;
}

/** Longer than a host takes to unlink. */
const HOST_MS = 30_000;

/**
 * Removes the link from its number for good, in any state; without a link it does nothing. The number has lost its
 * link when this resolves. The host unlinks on the network first; without a host or a network, an unlink job does so
 * later. With `device` only that link ends: a newer link of the number stays.
 */
export async function endSession(
  context: EndContext,
  number: OwnedNumber,
  { by, device = null }: Ending = {},
): Promise<void> {
  const { store, bus, clock, machineClock, events } = context;
  const row = await findSession(store.read, number.slotId);
  if (!row) return;
  if (device !== null && parseSessionId(row.session_id)?.device !== device) return;
  const { slot_id: slotId, link_id: linkId } = row;
  const at = clock.now();
  const hostUntil = machineClock.now() + HOST_MS;
  const news = row.reported === 'logged_out' ? [] : [events.prepare(connectionEvent(row, 'logged_out', at))];
  const health: HealthNote = {
    accountId: row.account_id,
    slotId,
    sessionId: row.session_id,
    at,
    signals: [{ kind: 'ended', cause: 'logged_out' }],
  };
  const audit = by && {
    ...{ at, actor: by, accountId: row.account_id, action: 'session.ended' as const },
    ...{ subject: row.session_id, detail: { phone: number.phone } },
  };
  // Paired anew or ended by another caller at the same time: the link to end is gone.
  const end = { slotId, linkId, at, hostUntil, events: news, health, audit };
  if (!(await store.run(endLink, end))) return;
  events.announce([number]);
  bus.publish(CHANGED_TOPIC, slotId);
  if (await isUnlinkedByHost(context, number, linkId)) return;
  await releaseUnlinkJob(store, linkId);
  bus.publish(ENDING_TOPIC, null);
}

async function isUnlinkedByHost(
  { getHost }: EndContext,
  number: OwnedNumber,
  linkId: string,
): Promise<boolean> {
  try {
    return await getHost(number).run(logOutAtHost, { linkId });
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
