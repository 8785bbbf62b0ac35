import { operations } from '@parley/contract';
import { apiError, type Clock, waitAtMost, warnOf } from '#kernel';
import { type Route, sameSecret, serve } from '#platform/http';
import type { Metrics } from './metrics/metrics.ts';

export function opsRoutes({
  parts,
  metrics,
  clock,
  metricsToken,
}: {
  parts: readonly Part[];
  metrics: Metrics;
  clock: Clock;
  /** Token that a scrape must send; `open`: the metrics are public. */
  metricsToken: string | undefined;
}): Route[] {
  return [
    serve(operations.getHealth, async () => ({ status: 'ok' as const })),
    serve(operations.getReadiness, async () => {
      const failing = await failingParts(parts, clock);
      if (failing.length > 0) throw apiError('not_ready', { part: failing.join(', ') });
      return { status: 'ready' as const };
    }),
    serve(operations.getMetrics, async ({ header, setHeader }) => {
      if (metricsToken !== 'open') refuseStrangers(header('authorization'), metricsToken);
      setHeader('Content-Type', metrics.registry.contentType);
      return metrics.read();
    }),
  ];
}

function refuseStrangers(authorization: string | undefined, token: string | undefined): void {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined || given === undefined || !sameSecret(given, token))
    throw apiError('metrics_token_invalid');
}

/** A component that must work for this process to be useful. */
export interface Part {
  readonly name: string;
  /** Rejects when the component is unusable. */
  check(): Promise<void>;
}

const PATIENCE_MS = 2_000;

/** Names of the components that fail or do not answer in time. */
async function failingParts(parts: readonly Part[], clock: Clock): Promise<string[]> {
  const verdicts = await Promise.all(parts.map((part) => works(part, clock)));
  return parts.filter((_, index) => !verdicts[index]).map((part) => part.name);
}

async function works(part: Part, clock: Clock): Promise<boolean> {
  const verdict = passes(part);
  return (await waitAtMost(clock, PATIENCE_MS, verdict)) && verdict;
}

async function passes(part: Part): Promise<boolean> {
  try {
    await part.check();
    return true;
  } catch (error) {
    warnOf(`not ready: ${part.name} does not work`)(error);
    return false;
  }
}
