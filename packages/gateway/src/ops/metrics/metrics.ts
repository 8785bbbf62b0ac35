import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Answered } from '#http';
import { createAnswerMetrics } from './answers.ts';
import { registerWorkMetrics, type WorkMetrics } from './work.ts';

/** Prometheus metrics of this process. */
export interface Metrics {
  readonly registry: Registry;
  readonly work: WorkMetrics;
  observeAnswer(answered: Answered): void;
  /** All of them, in the words of Prometheus. */
  read(): Promise<string>;
}

/** How often it is looked whether the process comes to its work in time; each look wakes it. */
const LOOK_EVERY_MS = 20;

export function createMetrics(): Metrics {
  const registry = new Registry();
  let isWatched = false;
  return {
    registry,
    work: registerWorkMetrics(registry),
    observeAnswer: createAnswerMetrics(registry),
    read() {
      // The process watches itself from the first reading on: where nobody reads, that would be most of what it does while idle.
      if (!isWatched)
        collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOK_EVERY_MS });
      isWatched = true;
      return registry.metrics();
    },
  };
}
