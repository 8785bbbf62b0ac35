import { hostname } from 'node:os';
import path from 'node:path';
import { createPastSink, createQuarantine } from '#events';
import { createTeller, meetPeople } from '#health';
import type { SendTraces } from '#kernel';
import { createSender } from '#messages';
import type { NetworkDriver } from '#network';
import type { WorkMetrics } from '#ops';
import { createWorker, type Worker } from '#sessions';
import { createEventSink } from './event-sink.ts';
import type { Common } from './open-common.ts';

interface Parts {
  readonly driver: NetworkDriver;
  readonly work: WorkMetrics;
  readonly traces: SendTraces | undefined;
  /** Tells the hosts of one machine apart; empty where there is one. */
  readonly name: string;
  /** No other host can be alive. */
  readonly alone: boolean;
  readonly onLeased?: (worker: string) => void;
}

/** What hosts numbers: their connections, what comes in by them and what goes out. */
export interface Host {
  readonly worker: Worker;
  start(): Promise<void>;
}

/** All of a host, in whichever thread it is. Ends with what was opened, in order: sends first, then the sessions. */
export function createHost(common: Common, parts: Parts, opened: AsyncDisposableStack): Host {
  const { store, bus, sealedBox, clock, machineClock, random, log, events, follower, histories } = common;
  const { work, traces } = parts;
  const { library } = common.media;
  const teller = createTeller({ store, events, clock });
  const worker = createWorker({
    ...{ store, bus, events, clock, machineClock, random, sealedBox, log, driver: parts.driver },
    onNetworkEvents: createEventSink(
      common,
      work,
      createQuarantine({ store, sealedBox, clock, log, onKept: work.quarantined }),
    ),
    onPairingEnded: work.paired,
    onStanding: follower.hear,
    onPast: createPastSink({ log: teller, histories, clock, warn: log.warn.bind(log) }),
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
