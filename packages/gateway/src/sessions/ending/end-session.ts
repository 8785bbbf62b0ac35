import { parseSessionId } from '@parley/contract';
import type { Actor } from '#accounts';
import type { Bus } from '#bus';
import type { EventLog } from '#event-log';
import type { HealthNote } from '#health';
import type { OwnedNumber } from '#http';
import { type Clock, Fault } from '#kernel';
import type { Store } from '#store';
import { CHANGED_TOPIC } from '../hosting/host.ts';
import { connectionEvent } from '../hosting/status-reporter.ts';
import { logOutAtHost } from '../hosting/worker.ts';
import { findSession, leaveEndingLink } from '../store.ts';
import type { CallSession } from '../types.ts';
import { endLink } from '../write-commands.ts';
import { ENDING_TOPIC } from './link-ender.ts';

export interface EndContext {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly machineClock: Pick<Clock, 'now'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly callSession: CallSession;
}

export interface Ending {
  /** Undefined: it goes with something that is told of itself, like the end of its number. */
  readonly by?: Actor | undefined;
  readonly device?: number | null | undefined;
}

/** Longer than a host may take to unlink. */
const HOST_MS = 30_000;

/**
 * Takes the link from its number for good, whatever state it is in; without one there is nothing to do. The number has lost it when
 * this resolves. Its host unlinks it on the network before that; where there is none, or no way to the network, a worker does so as
 * soon as it can.
 *
 * A device names that link and no other: when the number has another one by now, what was asked to end has ended before.
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
  // Paired anew or ended by somebody else in this very moment: what was asked to end has ended.
  const end = { slotId, linkId, at, hostUntil, events: news, health, audit };
  if (!(await store.run(endLink, end))) return;
  events.announce([number]);
  bus.publish(CHANGED_TOPIC, slotId);
  if (await isUnlinkedByHost(context, number, linkId)) return;
  await leaveEndingLink(store, linkId);
  bus.publish(ENDING_TOPIC, null);
}

async function isUnlinkedByHost(
  { callSession }: EndContext,
  number: OwnedNumber,
  linkId: string,
): Promise<boolean> {
  try {
    return await callSession(number, logOutAtHost, { linkId });
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
