import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Answered } from '#http';
import { createAnswerMetrics } from './answers.ts';
import { registerWorkMetrics, type WorkMetrics } from './work.ts';

/** Prometheus metrics of this process. */
export interface Metrics {
  readonly registry: Registry;
  readonly work: WorkMetrics;
  observeAnswer(answered: Answered): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, work: registerWorkMetrics(registry), observeAnswer: createAnswerMetrics(registry) };
}
