import type { Bus } from '#bus';
import { type Config, readEnvironment } from '#config';
import type { Clock } from '#kernel';
import type { Log } from '#ops';
import type { Store } from '#store';
import { createTraces, startTraceRetention, traceBus } from '#tracing';

interface Parts {
  readonly version: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly log: Log;
  /** Whether old traces are dropped here; one thread of a process does it. */
  readonly tidies: boolean;
}

interface Tracing {
  /** Undefined where traces are off: then nothing of them is loaded. */
  readonly traces?: ReturnType<typeof createTraces>;
  traced(bus: Bus): Bus;
}

export async function openTracing(
  { traces }: Pick<Config, 'traces'>,
  { version, store, clock, machineClock, log, tidies }: Parts,
  opened: AsyncDisposableStack,
): Promise<Tracing> {
  if (traces === 'off') return { traced: (bus) => bus };
  const { openSpans } = await import('../tracing/open-telemetry.ts');
  const spans = openSpans({ version, clock: machineClock, log, environment: readEnvironment() });
  opened.defer(() => spans.close());
  const retention = tidies ? startTraceRetention({ store, clock, log }) : undefined;
  opened.defer(() => retention?.stop());
  return { traces: createTraces({ spans, store, clock }), traced: (bus) => traceBus(bus, spans) };
}
