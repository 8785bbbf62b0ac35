import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Answered } from '#http';
import { createAnswerMetrics } from './answer-metrics.ts';

/** Prometheus metrics of this process. Rooms that count something make their own metric on `registry`. */
export interface Metrics {
  readonly registry: Registry;
  observeAnswer(answered: Answered): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, observeAnswer: createAnswerMetrics(registry) };
}
