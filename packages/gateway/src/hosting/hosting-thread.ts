import { Worker } from 'node:worker_threads';
import { awaitedLater, type Clock, inBackground, waitAtMost, watchThread } from '#kernel';
import { countReported, type Log, logAgain, type WorkMetrics } from '#ops';
import { LEASE_MS } from '#sessions';
import type { News, Order, ThreadStart } from './orders.ts';
import type { HostFigures } from './place.ts';

/** The main thread's end of a thread that hosts. It lives once. */
export interface HostingThread {
  /** Resolves when it hosts, rejects when it ends before. */
  readonly started: Promise<void>;
  /** Resolves with the error that has ended it, if one has. */
  readonly ended: Promise<Error | undefined>;
  /** The name under which it hosts, or has last. */
  readonly worker: string | undefined;
  travel(ms: number): Promise<void>;
  figures(): Promise<HostFigures | undefined>;
  check(): Promise<void>;
  tellPublicUrl(url: string | undefined): void;
  /** Hands over what it hosts. */
  stop(): Promise<void>;
}

interface Parts {
  readonly work: WorkMetrics;
  readonly log: Log;
  readonly machineClock: Clock;
  /** How large its heap may grow. */
  readonly heapMb: number;
}

const entry = new URL('./thread.ts', import.meta.url);
/** More than all that it does in its last moments takes at most. */
const STOP_MS = 20_000;
/** It loads all that speaks to the network, and waits for a database that is slow. */
const START_MS = 120_000;

export function startHostingThread(
  start: ThreadStart,
  { work, log, machineClock, heapMb }: Parts,
): HostingThread {
  const { store, bus } = start;
  const ports = store.dialect === 'sqlite' ? [bus, store.writer, store.reader] : [bus];
  const thread = new Worker(entry, {
    ...{ workerData: start, transferList: ports, execArgv: [] },
    name: `host-${start.thread}`,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Error | undefined>();
  const asked = new Map<number, PromiseWithResolvers<HostFigures | undefined>>();
  let orders = 0;
  let worker: string | undefined;
  let failure: Error | undefined;
  let isOver = false;
  let watching: { stop(): void } | undefined;
  const tooLate = machineClock.after(START_MS, () => end(`it has not started within ${START_MS} ms`));

  function hear(news: News): void {
    if (news.kind === 'logged') logAgain(log, news.line);
    else if (news.kind === 'worked') countReported(work, news.report);
    else if (news.kind === 'leased') worker = news.worker;
    else if (news.kind === 'started') begin();
    else {
      if (news.kind === 'done') asked.get(news.id)?.resolve(news.figures);
      else asked.get(news.id)?.reject(new Error('refused by the thread'));
      asked.delete(news.id);
    }
  }

  function begin(): void {
    tooLate.cancel();
    started.resolve();
    watching = watchThread({
      ask: () => order((id) => ({ kind: 'answer', id })),
      clock: machineClock,
      hungAfterMs: LEASE_MS,
      onHang: () => end(`it has answered nothing for ${LEASE_MS} ms`),
    });
  }

  /** Whatever it does, it does no longer: what it hosts is somebody else's by now, or soon. */
  function end(reason: string): void {
    failure ??= new Error(reason);
    inBackground(thread.terminate(), log, 'a hosting thread could not be ended');
  }

  function order(make: (id: number) => Order): Promise<HostFigures | undefined> {
    const answer = Promise.withResolvers<HostFigures | undefined>();
    if (isOver) answer.reject(gone());
    else {
      const id = ++orders;
      asked.set(id, answer);
      thread.postMessage(make(id));
    }
    return answer.promise;
  }

  thread.on('message', hear);
  thread.on('error', (error) => {
    failure = error;
  });
  thread.on('exit', (code) => {
    isOver = true;
    tooLate.cancel();
    watching?.stop();
    if (code !== 0) failure ??= new Error(`it ended with code ${code}`);
    for (const each of asked.values()) each.reject(gone());
    asked.clear();
    started.reject(failure ?? gone());
    ended.resolve(failure);
  });
  // Whoever does not wait for the start hears of the end.
  awaitedLater(started.promise);

  return {
    started: started.promise,
    ended: ended.promise,
    get worker() {
      return worker;
    },
    travel: async (ms) => void (await order((id) => ({ kind: 'travel', id, ms }))),
    figures: () => order((id) => ({ kind: 'figures', id })),
    check: async () => void (await order((id) => ({ kind: 'check', id }))),
    tellPublicUrl: (url) => thread.postMessage({ kind: 'public_url', url } satisfies Order),
    async stop() {
      tooLate.cancel();
      watching?.stop();
      thread.postMessage({ kind: 'stop' } satisfies Order);
      await waitAtMost(machineClock, STOP_MS, ended.promise);
      if (!isOver) await thread.terminate();
    },
  };
}

function gone(): Error {
  return new Error('the hosting thread has ended');
}
