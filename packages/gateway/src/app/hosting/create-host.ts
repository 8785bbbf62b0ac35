import { hostname } from 'node:os';
import path from 'node:path';
import { isAskedFor } from '#events';
import { createInboundWriter, meetPeople } from '#health';
import {
  createNetworkEventSink,
  createPastSink,
  createQuarantine,
  type NetworkEventSink,
  type Quarantine,
} from '#inbound';
import type { SendTraces } from '#kernel';
import { createArrivals } from '#media';
import { acceptedAt, createReceiptRecorder, createSender } from '#messages';
import type { NetworkDriver } from '#network';
import type { WorkMetrics } from '#platform/observe';
import { createWorker, type Worker } from '#sessions';
import type { Common } from './open-common.ts';

interface Parts {
  readonly driver: NetworkDriver;
  readonly work: WorkMetrics;
  readonly traces: SendTraces | undefined;
  /** Distinguishes the hosts of one machine; empty if there is only one. */
  readonly name: string;
  /** No other host can be running. */
  readonly alone: boolean;
  readonly onLeased?: (worker: string) => void;
}

/** Hosts numbers: their connections, incoming events and outgoing messages. */
export interface Host {
  readonly worker: Worker;
  start(): Promise<void>;
}

/** Opens a host in any thread. Everything opened closes in order: sends first, then the sessions. */
export function createHost(common: Common, parts: Parts, opened: AsyncDisposableStack): Host {
  const { store, bus, sealedBox, clock, machineClock, random, log, events, follower, histories } = common;
  const { work, traces } = parts;
  const { library } = common.media;
  const inboundWriter = createInboundWriter({ store, events, clock });
  const worker = createWorker({
    ...{ store, bus, events, clock, machineClock, random, sealedBox, log, driver: parts.driver },
    onNetworkEvents: createEventSink(
      common,
      work,
      createQuarantine({ store, sealedBox, clock, log, onKept: work.quarantined }),
    ),
    onPairingEnded: work.paired,
    onStanding: follower.learn,
    onPast: createPastSink({ log: inboundWriter, histories, clock, warn: log.warn.bind(log) }),
    onKnownPeople: (hosted, people) => meetPeople(store, hosted.number.slotId, people, clock.now()),
    actions: Object.values(common.actions).flatMap((actions) => Object.values(actions)),
    machine: hostname() + parts.name,
    alone: parts.alone,
    ...(parts.onLeased && { onLeased: parts.onLeased }),
  });
  opened.defer(() => worker.stop());
  const sender = createSender({
    ...{ store, bus, clock, random, sealedBox, histories, events, hosted: worker.hosted, log },
    media: {
      ...{ egress: common.egress, library, clock: machineClock },
      folder: path.join(common.passage, 'spool'),
    },
    onTried: work.sendTried,
    traces,
  });
  opened.defer(() => sender.stop());
  return {
    worker,
    async start() {
      await worker.start();
      sender.start();
    },
  };
}

/** Turns network events into public events, from every source of them. */
export function createEventSink(
  common: Common,
  work: Pick<WorkMetrics, 'sendTried' | 'received'>,
  quarantine: Quarantine,
): NetworkEventSink {
  const { store, bus, sealedBox, clock, machineClock, events, histories } = common;
  const { library, links } = common.media;
  return createNetworkEventSink({
    log: createInboundWriter({ store, events, clock }),
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

/** For callers that handle storage failures themselves. */
export const noExtraWrites: Quarantine = {
  async keep(_number, _event, failure) {
    throw failure;
  },
};
