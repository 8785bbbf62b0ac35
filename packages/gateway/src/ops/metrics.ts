import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Answered } from '#http';

/** Prometheus metrics of this process. Rooms that count something make their own metric on `registry`. */
export interface Metrics {
  readonly registry: Registry;
  observeAnswer(answered: Answered): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = new Counter({
    name: 'parley_http_answers_total',
    help: 'HTTP answers by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'parley_http_answer_seconds',
    help: 'Time to answer by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [registry],
  });
  // Finding a metric by its labels costs several times as much as counting, so each is looked up once.
  const answersOf = keep((key) => answers.labels(...key.split(' ')));
  const secondsOf = keep((operation) => seconds.labels(operation));
  return {
    registry,
    observeAnswer({ operation, status, seconds: taken }) {
      answersOf(`${operation} ${status}`).inc();
      secondsOf(operation).observe(taken);
    },
  };
}

function keep<T>(find: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key) ?? find(key);
    kept.set(key, known);
    return known;
  };
}
