import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type BatchSpanProcessorOptions,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Environment } from '#config';

/** The variables of OpenTelemetry's specification that its exporter does not read by itself. As that says, a value that makes no sense counts as absent. */

const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

export function samplerOf({
  OTEL_TRACES_SAMPLER: name = '',
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: Environment): Sampler {
  const make = SAMPLERS[name] ?? SAMPLERS.parentbased_always_on;
  const share = ratio === undefined || ratio === '' ? 1 : Number(ratio);
  return make?.(share >= 0 && share <= 1 ? share : 1) ?? new AlwaysOnSampler();
}

export function batchingOf(environment: Environment): Omit<BatchSpanProcessorOptions, 'exporter'> {
  return {
    ...number(environment.OTEL_BSP_SCHEDULE_DELAY, 'scheduledDelayMillis'),
    ...number(environment.OTEL_BSP_EXPORT_TIMEOUT, 'exportTimeoutMillis'),
    ...number(environment.OTEL_BSP_MAX_QUEUE_SIZE, 'maxQueueSize'),
    ...number(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 'maxExportBatchSize'),
  };
}

function number<N extends string>(text: string | undefined, name: N): Partial<Record<N, number>> {
  return text !== undefined && /^\d{1,9}$/.test(text) ? ({ [name]: Number(text) } as Record<N, number>) : {};
}
