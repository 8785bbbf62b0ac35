import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import { type Clock, fault } from '#kernel';
import type { Metrics } from './metrics.ts';
import { failingParts, type Part } from './readiness.ts';

export function opsRoutes({
  parts,
  metrics,
  clock,
}: {
  parts: readonly Part[];
  metrics: Metrics;
  clock: Clock;
}): Route[] {
  return [
    serve(operations.getHealth, async () => ({ status: 'ok' as const })),
    serve(operations.getReadiness, async () => {
      const failing = await failingParts(parts, clock);
      if (failing.length > 0) throw fault('not_ready', { part: failing.join(', ') });
      return { status: 'ready' as const };
    }),
    serve(operations.getMetrics, async ({ setHeader }) => {
      setHeader('Content-Type', metrics.registry.contentType);
      return metrics.registry.metrics();
    }),
  ];
}
