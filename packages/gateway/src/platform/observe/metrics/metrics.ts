import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { warnOf } from '#kernel';
import type { Answered, BodyBudget } from '#platform/http';
import { addTiming, createTimings, PlainHistogram, type Timings } from './plain-histogram.ts';
import { registerWorkMetrics, type WorkMetrics } from './work.ts';

/** Prometheus metrics of this process. */
export interface Metrics {
  readonly registry: Registry;
  readonly work: WorkMetrics;
  observeAnswer(answered: Answered): void;
  /** All metrics in the Prometheus text format. */
  read(): Promise<string>;
}

/** Sampling interval of the event loop delay; each sample wakes the process. */
const LOOK_EVERY_MS = 20;

export function createMetrics(): Metrics {
  const registry = new Registry();
  let isWatched = false;
  return {
    registry,
    work: registerWorkMetrics(registry),
    observeAnswer: createAnswerMetrics(registry),
    read() {
      // Sampling starts with the first scrape: without scrapes it would be most of the work of an idle process.
      if (!isWatched)
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_EVERY_MS });
      isWatched = true;
      return registry.metrics();
    },
  };
}

const UPPER_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Responses of one operation so far. */
interface AnswerCounter {
  readonly byStatus: Map<number, number>;
  readonly timings: Timings;
}

/**
 * Responses by operation. Counted in plain numbers and passed to the library on scrape: finding a metric by its labels costs a
 * twentieth of a whole request, and every request would do it twice.
 */
export function createAnswerMetrics(registry: Registry): (answered: Answered) => void {
  const counters = new Map<string, AnswerCounter>();

  registry.registerMetric(
    new Counter({
      name: 'parley_http_answers_total',
      help: 'HTTP answers by operation and status',
      labelNames: ['operation', 'status'],
      registers: [],
      collect() {
        this.reset();
        for (const [operation, { byStatus }] of counters) {
          for (const [status, count] of byStatus) this.inc({ operation, status }, count);
        }
      },
    }),
  );
  registry.registerMetric(
    new PlainHistogram({
      name: 'parley_http_answer_seconds',
      help: 'Time to answer by operation',
      bounds: UPPER_BOUNDS,
      *shown() {
        for (const [operation, { timings }] of counters) yield [{ operation }, timings];
      },
    }),
  );

  return ({ operation, status, seconds }) => {
    let counter = counters.get(operation);
    if (!counter) {
      counter = { byStatus: new Map(), timings: createTimings(UPPER_BOUNDS) };
      counters.set(operation, counter);
    }
    counter.byStatus.set(status, (counter.byStatus.get(status) ?? 0) + 1);
    addTiming(counter.timings, UPPER_BOUNDS, seconds);
  };
}

export function registerBodyMetrics(registry: Registry, budget: Pick<BodyBudget, 'held' | 'refused'>): void {
  new Gauge({
    name: 'parley_request_body_bytes',
    help: 'Bytes of request bodies that this process holds',
    registers: [registry],
    collect() {
      this.set(budget.held);
    },
  });
  new Counter({
    name: 'parley_request_bodies_refused_total',
    help: 'Request bodies that were refused: all memory for bodies was taken, or the share of the caller',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(budget.refused)) this.inc({ reason }, count);
    },
  });
}

/** Space on the disks of the folders that this process writes to. */
export function registerDiskMetrics(registry: Registry, folders: ReadonlyMap<string, string>): void {
  const gauge = (name: string, help: string, of: (found: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['place'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const [place, folder] of folders) {
          const found = await statfs(folder).catch(warnOf('the space of a disk could not be read'));
          if (found) this.set({ place }, of(found));
        }
      },
    });
  gauge(
    'parley_disk_free_bytes',
    'Bytes that are free for this user on the disk of a folder',
    ({ bavail, bsize }) => bavail * bsize,
  );
  gauge('parley_disk_size_bytes', 'Bytes of the disk of a folder', ({ blocks, bsize }) => blocks * bsize);
}
