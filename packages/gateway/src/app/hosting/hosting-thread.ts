import { type MessagePort, Worker } from 'node:worker_threads';
import type { Config } from '#config';
import { awaitedLater, type Clock, inBackground, type MasterKeys, waitAtMost, watchThread } from '#kernel';
import { countReported, type Log, logAgain, type WorkMetrics, type WorkReport } from '#platform/observe';
import type { SharedStore } from '#platform/store';
import { LEASE_MS } from '#sessions';
import type { HostFigures } from './hosting-place.ts';
import type { Endpoint } from './open-driver.ts';

/** Start data of a hosting thread. */
export interface ThreadStart {
  /** From 1 on. */
  readonly thread: number;
  readonly version: string;
  readonly config: Config;
  readonly masterKeys: MasterKeys;
  readonly fingerprintKey: Uint8Array;
  readonly store: SharedStore;
  readonly bus: MessagePort;
  readonly endpoint: Endpoint | undefined;
  /** Time that the sandbox has moved the gateway's clock by so far. */
  readonly travelledMs: number;
  readonly publicUrl: string | undefined;
  readonly passage: string;
  /** There is no other hosting thread. */
  readonly alone: boolean;
}

/** Messages of the main thread to a hosting thread; one with an id gets an answer with it. */
export type Order =
  | { readonly kind: 'travel'; readonly id: number; readonly ms: number }
  | { readonly kind: 'figures' | 'check' | 'answer'; readonly id: number }
  | { readonly kind: 'public_url'; readonly url: string | undefined }
  | { readonly kind: 'stop' };

/** Messages of a hosting thread to the main thread. */
export type News =
  | { readonly kind: 'started' }
  | { readonly kind: 'leased'; readonly worker: string }
  | { readonly kind: 'worked'; readonly report: WorkReport }
  | { readonly kind: 'logged'; readonly line: string }
  | { readonly kind: 'done'; readonly id: number; readonly figures?: HostFigures }
  | { readonly kind: 'refused'; readonly id: number };

/** The main thread's handle of one run of a hosting thread. */
export interface HostingThread {
  /** Resolves when it hosts, rejects when it ends before. */
  readonly started: Promise<void>;
  /** Resolves with the error that has ended it, if any. */
  readonly ended: Promise<Error | undefined>;
  /** Its current worker id, or the last one. */
  readonly worker: string | undefined;
  travel(ms: number): Promise<void>;
  figures(): Promise<HostFigures | undefined>;
  check(): Promise<void>;
  setPublicUrl(url: string | undefined): void;
  /** Hands its sessions over. */
  stop(): Promise<void>;
}

interface Parts {
  readonly work: WorkMetrics;
  readonly log: Log;
  readonly machineClock: Clock;
  /** Heap limit. */
  readonly heapMb: number;
}

const entry = new URL('./thread.ts', import.meta.url);
/** More than its whole shutdown takes. */
const STOP_MS = 20_000;
/** Covers loading the network library, and waiting for a slow database. */
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

  function onMessage(news: News): void {
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

  /** Terminates it: other workers host its sessions by now, or soon. */
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

  thread.on('message', onMessage);
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
  // A caller that does not await the start learns of the failure from `ended`.
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
    setPublicUrl: (url) => thread.postMessage({ kind: 'public_url', url } satisfies Order),
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
