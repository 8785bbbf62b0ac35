import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#store';
import { addCounts, type Counts, SPAN_MS } from './store.ts';

/** What rooms report as it happens, as far as it is counted here. */
interface Work {
  accepted(type: string): void;
  sendTried(outcome: 'sent' | 'failed' | 'postponed', reason: string | undefined, seconds: number): void;
  received(kind: string): void;
  deliveryEnded(outcome: 'delivered' | 'dead'): void;
}

export interface Throughput {
  /** The same, counted on its way. */
  watch<W extends Work>(work: W): Omit<W, keyof Work> & Work;
  /** Writes down what was counted since the last time. */
  flush(): Promise<void>;
  /** Does so from time to time, and once more when it is stopped. */
  start(parts: { clock: Clock; log: JobLog }): PeriodicJob;
}

const KINDS = ['accepted', 'sent', 'received', 'delivered'] as const satisfies readonly (keyof Counts)[];
/** So much of what was counted is lost with a process that is killed. */
const FLUSH_EVERY_MS = 10_000;

/** How much the whole gateway does, by minute for a day and by hour for a month, whatever processes come and go. */
export function createThroughput({
  store,
  clock,
}: {
  store: Pick<Store, 'transaction'>;
  clock: Pick<Clock, 'now'>;
}): Throughput {
  let minutes = new Map<number, Counts>();

  function add(minute: number, what: keyof Counts, by: number): void {
    const counts = minutes.get(minute) ?? { accepted: 0, sent: 0, received: 0, delivered: 0 };
    counts[what] += by;
    minutes.set(minute, counts);
  }

  function count(what: keyof Counts): void {
    const now = clock.now();
    add(now - (now % SPAN_MS.minute), what, 1);
  }

  async function flush(): Promise<void> {
    if (minutes.size === 0) return;
    const counted = minutes;
    minutes = new Map();
    try {
      await addCounts(store, counted, clock.now());
    } catch (error) {
      for (const [minute, counts] of counted) for (const what of KINDS) add(minute, what, counts[what]);
      throw error;
    }
  }

  return {
    watch: (work) => ({
      ...work,
      accepted(type) {
        work.accepted(type);
        count('accepted');
      },
      sendTried(outcome, reason, seconds) {
        work.sendTried(outcome, reason, seconds);
        if (outcome === 'sent') count('sent');
      },
      received(kind) {
        work.received(kind);
        if (kind === 'message') count('received');
      },
      deliveryEnded(outcome) {
        work.deliveryEnded(outcome);
        if (outcome === 'delivered') count('delivered');
      },
    }),
    flush,
    start({ clock: machineClock, log }) {
      const job = startPeriodicJob({
        clock: machineClock,
        firstAfterMs: FLUSH_EVERY_MS,
        everyMs: FLUSH_EVERY_MS,
        work: flush,
        log,
        name: 'throughput',
      });
      return { stop: () => job.stop().then(flush) };
    },
  };
}
