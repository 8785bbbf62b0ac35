import { Counter, type Registry } from 'prom-client';

/** Tells how much of what the network said could not be stored. */
export function registerQuarantineMetrics(registry: Registry, counts: ReadonlyMap<string, number>): void {
  new Counter({
    name: 'parley_quarantined_events_total',
    help: 'Events of the network that could not be stored and were put aside',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of counts) this.inc({ kind }, count);
    },
  });
}
