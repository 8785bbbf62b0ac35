import { rmSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Config } from '#config';
import {
  awaitedLater,
  type Clock,
  growingPause,
  inBackground,
  type MasterKeys,
  type Random,
  type Timer,
  warnOf,
} from '#kernel';
import { type Bus, offerBus } from '#platform/bus';
import type { Log, WorkMetrics } from '#platform/observe';
import type { Store } from '#platform/store';
import { expireAllWorkerLeases, expireWorkerLease } from '#sessions';
import type { BroadcastClock } from './broadcast-clock.ts';
import type { HostFigures, HostingPlace } from './hosting-place.ts';
import { type HostingThread, startHostingThread } from './hosting-thread.ts';
import type { Endpoint } from './open-driver.ts';
import { heapLimitMb } from './thread-sizing.ts';

interface Parts {
  readonly version: string;
  readonly store: Store;
  readonly bus: Bus;
  readonly masterKeys: MasterKeys;
  readonly fingerprintKey: Uint8Array;
  readonly endpoint: Endpoint | undefined;
  readonly clock: BroadcastClock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly work: WorkMetrics;
  readonly log: Log;
  /** Number of threads. */
  readonly threads: number;
}

/** Backoff for a thread that keeps ending. */
const START_AGAIN = { firstMs: 250, longestMs: 30_000, jitter: 0.2 };
/** A thread that ran for this long starts the backoff anew. */
const LIVED_MS = 60_000;
/** A busy thread that does not answer in time is alive, but has no figures. */
const FIGURES_MS = 1_000;
/** Of all hosting threads together; the other half leaves room for their memory outside the heaps. */
const HEAP = { share: 0.5, leastMb: 256, mostMb: 4_096 };

/**
 * Hosts numbers in separate threads, so that encryption delays no request. Each thread is a worker like a process of a cluster, with its
 * own lease and its share of the numbers:
 *
 *     starting ──▶ hosting ──is stopped──▶ hands over ──▶ (gone)
 *        ▲            │
 *        │            ├──ends, also over its memory limit──▶ leases expired: the others take over at once
 *        │            └──no answer within a lease──────────▶ terminated, then leases expired
 *        └──────── after a pause, and gets its share again ◀──────────┘
 */
export async function hostInThreads(
  config: Config,
  parts: Parts,
  opened: AsyncDisposableStack,
): Promise<HostingPlace> {
  const { store, bus, clock, machineClock, random, log } = parts;
  const passages = path.join(config.dataDir, 'threads');
  // Leftovers of a process that died.
  rmSync(passages, { recursive: true, force: true });
  const heapMb =
    config.hostThreadMb === 'auto'
      ? heapLimitMb({ ...HEAP, share: HEAP.share / parts.threads })
      : config.hostThreadMb;
  const isEmbedded = store.dialect === 'sqlite';
  // The database lock is exclusive: leases of earlier processes can be expired at once.
  if (isEmbedded) await expireAllWorkerLeases(store);
  const running = new Map<number, HostingThread>();
  /** One per thread, resolved by whichever attempt succeeds. */
  const arrivals = Array.from({ length: parts.threads }, () => Promise.withResolvers<void>());
  const pauses = new Map<number, Timer>();
  let isStopping = false;
  let { publicUrl } = config;

  function startOne(thread: number, failures: number): void {
    const arrival = arrivals[thread - 1];
    const { port1, port2 } = new MessageChannel();
    offerBus(bus, port1);
    const startedAt = machineClock.monotonic();
    const started = startHostingThread(
      {
        ...{ thread, version: parts.version, config, endpoint: parts.endpoint },
        ...{ masterKeys: parts.masterKeys, fingerprintKey: parts.fingerprintKey },
        ...{ store: store.shareWithThread(), bus: port2, publicUrl },
        travelledMs: clock.travelled(),
        passage: path.join(passages, String(thread)),
        alone: isEmbedded && parts.threads === 1,
      },
      { ...parts, heapMb },
    );
    const stopLeading = clock.addFollower(started.travel);
    running.set(thread, started);
    // A thread that ends before it has started is handled below.
    awaitedLater(started.started.then(arrival?.resolve));
    const attendedTo = started.ended.then(async (failure) => {
      stopLeading();
      running.delete(thread);
      // A failure before the first successful start would repeat.
      if (failure) arrival?.reject(failure);
      if (isStopping) return;
      const lived = machineClock.monotonic() - startedAt >= LIVED_MS;
      const inARow = lived ? 1 : failures + 1;
      const againInMs = Math.round(growingPause(START_AGAIN, inARow, random));
      log.error({ thread, worker: started.worker, err: failure, againInMs }, 'a hosting thread has ended');
      pauses.set(
        thread,
        machineClock.after(againInMs, () => void startOne(thread, inARow)),
      );
      if (started.worker !== undefined)
        await expireWorkerLease({ store, bus }, started.worker).catch((error: unknown) =>
          log.warn({ err: error }, 'could not end the lease of a thread; it lapses with time'),
        );
    });
    inBackground(attendedTo, log, 'the end of a hosting thread could not be attended to');
  }

  opened.defer(async () => {
    isStopping = true;
    for (const pause of pauses.values()) pause.cancel();
    await Promise.all([...running.values()].map((thread) => thread.stop()));
  });
  for (const [index, { promise }] of arrivals.entries()) {
    // Reported to the caller that awaits the start.
    awaitedLater(promise);
    startOne(index + 1, 0);
  }

  return {
    start: async () => void (await Promise.all(arrivals.map(({ promise }) => promise))),
    check: () => Promise.any([...running.values()].map((thread) => thread.check())),
    async figures() {
      const late = machineClock.sleep(FIGURES_MS).then(() => undefined);
      const asked = [...running.values()].map((thread) =>
        Promise.race([thread.figures().catch(warnOf('a hosting thread did not report its figures')), late]),
      );
      return (await Promise.all(asked)).filter((each): each is HostFigures => each !== undefined);
    },
    setPublicUrl(url) {
      publicUrl = url;
      for (const thread of running.values()) thread.setPublicUrl(url);
    },
  };
}
