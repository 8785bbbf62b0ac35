import { rmSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { type Bus, offerBus } from '#bus';
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
import type { Log, WorkMetrics } from '#ops';
import { buryAllWorkers, buryWorker } from '#sessions';
import type { Store } from '#store';
import { heapLimitMb } from './heap-limit.ts';
import { type HostingThread, startHostingThread } from './hosting-thread.ts';
import type { LedClock } from './led-clock.ts';
import type { Endpoint } from './open-driver.ts';
import type { HostFigures, HostingPlace } from './place.ts';

interface Parts {
  readonly version: string;
  readonly store: Store;
  readonly bus: Bus;
  readonly masterKeys: MasterKeys;
  readonly fingerprintKey: Uint8Array;
  readonly endpoint: Endpoint | undefined;
  readonly clock: LedClock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly work: WorkMetrics;
  readonly log: Log;
  /** How many. */
  readonly threads: number;
}

/** A thread that ends again and again is started less and less often. */
const START_AGAIN = { firstMs: 250, longestMs: 30_000, jitter: 0.2 };
/** Who lived for so long ends for another reason than the last time. */
const LIVED_MS = 60_000;
/** A thread that has so much to do that it does not answer is alive, but shows nothing. */
const FIGURES_MS = 1_000;
/** Of all threads that host together; what numbers take beside the heaps has room in the other half. */
const HEAP = { share: 0.5, leastMb: 256, mostMb: 4_096 };

/**
 * Hosts numbers in threads of their own, so that encrypting keeps no request waiting. Each thread is a worker like a process of a cluster,
 * with its own lease and its share of the numbers:
 *
 *     starting ──▶ hosting ──told to stop──▶ hands over ──▶ (gone)
 *        ▲            │
 *        │            ├──ends by itself, or by what it takes of memory──▶ buried: the others take over at once
 *        │            └──answers nothing for as long as a lease────────▶ ended, then buried
 *        └──────────── after a pause, and gets its share again ◀──────────┘
 */
export async function hostInThreads(
  config: Config,
  parts: Parts,
  opened: AsyncDisposableStack,
): Promise<HostingPlace> {
  const { store, bus, clock, machineClock, random, log } = parts;
  const passages = path.join(config.dataDir, 'threads');
  // Whatever is there was left by a process that died while it used it.
  rmSync(passages, { recursive: true, force: true });
  const heapMb =
    config.hostThreadMb === 'auto'
      ? heapLimitMb({ ...HEAP, share: HEAP.share / parts.threads })
      : config.hostThreadMb;
  const isEmbedded = store.dialect === 'sqlite';
  // Who has the file to itself does not wait for the leases of those who had it before.
  if (isEmbedded) await buryAllWorkers(store);
  const running = new Map<number, HostingThread>();
  /** Of each thread, whichever attempt succeeds. */
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
    const stopLeading = clock.lead(started.travel);
    running.set(thread, started);
    // What ends before it has started is attended to below.
    awaitedLater(started.started.then(arrival?.resolve));
    const attendedTo = started.ended.then(async (failure) => {
      stopLeading();
      running.delete(thread);
      // What fails by itself before it ever worked would fail again.
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
        await buryWorker({ store, bus }, started.worker).catch((error: unknown) =>
          log.warn({ err: error }, 'could not end the lease of a thread; it lapses by itself'),
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
    // Heard of by whoever waits for the start.
    awaitedLater(promise);
    startOne(index + 1, 0);
  }

  return {
    start: async () => void (await Promise.all(arrivals.map(({ promise }) => promise))),
    check: () => Promise.any([...running.values()].map((thread) => thread.check())),
    async figures() {
      const late = machineClock.sleep(FIGURES_MS).then(() => undefined);
      const asked = [...running.values()].map((thread) =>
        Promise.race([thread.figures().catch(warnOf('a hosting thread did not tell its figures')), late]),
      );
      return (await Promise.all(asked)).filter((each): each is HostFigures => each !== undefined);
    },
    tellPublicUrl(url) {
      publicUrl = url;
      for (const thread of running.values()) thread.tellPublicUrl(url);
    },
  };
}
