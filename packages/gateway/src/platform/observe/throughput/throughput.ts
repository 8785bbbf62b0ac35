import { operations } from '@parley/contract';
import { type Clock, DAY_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import { type Route, serve } from '#platform/http';
import type { Store } from '#platform/store';
import { addCounts, type Counts, countsSince, SPAN_MS } from './throughput-queries.ts';

/** The subset of recorded work that is counted here. */
interface Work {
  accepted(type: string): void;
  sendTried(outcome: 'sent' | 'failed' | 'postponed', reason: string | undefined, seconds: number): void;
  received(kind: string): void;
  deliveryEnded(outcome: 'delivered' | 'dead'): void;
}

interface Throughput {
  /** Wraps a recorder so that its calls are counted. */
  watch<W extends Work>(work: W): Omit<W, keyof Work> & Work;
  /** Writes the counts since the last flush. */
  flush(): Promise<void>;
  /** Flushes periodically, and once more when stopped. */
  start(parts: { clock: Clock; log: JobLog }): PeriodicJob;
}

const KINDS = ['accepted', 'sent', 'received', 'delivered'] as const satisfies readonly (keyof Counts)[];
/** A killed process loses at most this much of its counts. */
const FLUSH_EVERY_MS = 10_000;

/** Throughput of the whole gateway, by minute for a day and by hour for a month, whichever processes run. */
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

const SHOWN_MS = { minute: DAY_MS, hour: 31 * DAY_MS } as const;

export function throughputRoutes({
  store,
  clock,
}: {
  store: Pick<Store, 'read'>;
  clock: Pick<Clock, 'now'>;
}): Route[] {
  return [
    serve(operations.getThroughput, async ({ query }) => {
      const span = query.span ?? 'minute';
      const rows = await countsSince(store.read, span, clock.now() - SHOWN_MS[span]);
      const points = rows.map(({ starts_at, accepted, sent, received, delivered }) => ({
        at: new Date(starts_at).toISOString(),
        ...{ accepted, sent, received, delivered },
      }));
      return { span, points };
    }),
  ];
}
