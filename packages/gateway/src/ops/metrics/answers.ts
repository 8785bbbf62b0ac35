import { Counter, type Registry } from 'prom-client';
import type { Answered } from '#http';
import { addTiming, createTimings, PlainHistogram, type Timings } from './plain-histogram.ts';

const UPPER_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** What one operation has answered so far. */
interface AnswerCounter {
  readonly byStatus: Map<number, number>;
  readonly timings: Timings;
}

/**
 * The answers by operation. Counted in plain numbers and handed to the library when somebody asks for them: finding a metric by its
 * labels costs a twentieth of a whole request, and every request would pay it twice.
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
