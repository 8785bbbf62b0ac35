import type { Bus } from '#bus';
import type { EventLog } from '#events';
import type { OwnedNumber } from '#http';
import { type Clock, Fault } from '#kernel';
import type { Store } from '#store';
import { endLink } from './commands.ts';
import { CHANGED_TOPIC } from './host.ts';
import { connectionEvent } from './report.ts';
import { findSession } from './store.ts';
import type { CallSession } from './types.ts';
import { logOutAtHost } from './worker.ts';

export interface EndContext {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly callSession: CallSession;
}

/**
 * Takes the link from its number for good, whatever state it is in; without one there is nothing to do. The number has lost it when
 * this resolves. Its host unlinks it on the network at once; where there is none, a worker does so as soon as it can.
 */
export async function endSession(context: EndContext, number: OwnedNumber): Promise<void> {
  const { store, bus, clock, events } = context;
  const row = await findSession(store.read, number.slotId);
  if (!row) return;
  const at = clock.now();
  const news = row.reported === 'logged_out' ? [] : [events.prepare(connectionEvent(row, 'logged_out', at))];
  const { slotId } = number;
  const ended = await store.run(endLink, { slotId, linkId: row.link_id, at, events: news });
  // Paired anew in this very moment: what was asked to end has ended.
  if (!ended) return;
  events.announce(news);
  bus.publish(CHANGED_TOPIC, slotId);
  await context.callSession(number, logOutAtHost, null).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
  });
}
