import { type Config, readEnvironment } from '#config';
import type { Clock } from '#kernel';
import type { Log } from '#ops';
import type { Spans } from '#tracing';

/** Undefined where traces are off: then nothing of them is loaded. */
export async function openTracing(
  { traces }: Pick<Config, 'traces'>,
  parts: { version: string; clock: Clock; log: Log },
  opened: AsyncDisposableStack,
): Promise<Spans | undefined> {
  if (traces === 'off') return undefined;
  const { openSpans } = await import('./tracing/open-telemetry.ts');
  const spans = openSpans({ ...parts, environment: readEnvironment() });
  opened.defer(() => spans.close());
  return spans;
}
