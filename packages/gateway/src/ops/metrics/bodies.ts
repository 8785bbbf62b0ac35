import { Counter, Gauge, type Registry } from 'prom-client';
import type { BodyBudget } from '#http';

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
