import { isAskedFor } from '#event-log';
import { createNetworkEventSink, type NetworkEventSink, type Quarantine } from '#events';
import { createTeller } from '#health';
import { createArrivals } from '#media';
import { acceptedAt, createReceiptRecorder } from '#messages';
import type { WorkMetrics } from '#ops';
import type { Common } from './open-common.ts';

/** What turns into events what the network tells, whoever it told it to. */
export function createEventSink(
  common: Common,
  work: Pick<WorkMetrics, 'sendTried' | 'received'>,
  quarantine: Quarantine,
): NetworkEventSink {
  const { store, bus, sealedBox, clock, machineClock, events, histories } = common;
  const { library, links } = common.media;
  return createNetworkEventSink({
    log: createTeller({ store, events, clock }),
    asked: (slotId, extension) => isAskedFor(store, slotId, extension),
    receipts: createReceiptRecorder({
      ...{ store, clock, sealedBox, histories, events, bus },
      onTried: work.sendTried,
    }),
    sent: async (slotId, messageId) => (await acceptedAt(store, slotId, messageId)) !== undefined,
    histories,
    files: createArrivals({ library, links, dataKeys: common.dataKeys }),
    book: common.book,
    quarantine,
    clock: machineClock,
    lines: common.log,
    onReceived: work.received,
  });
}

/** For whoever is to hear why something cannot be stored. */
export const nothingAside: Quarantine = {
  async keep(_number, _event, failure) {
    throw failure;
  },
};
