import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type BatchSpanProcessorOptions,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Environment } from '#config';
import { type Clock, waitAtMost } from '#kernel';
import type { Attributes, Noted, Spans } from './traces.ts';

interface Parts {
  readonly environment: Environment;
  readonly version: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: { warn(details: object, message: string): void };
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
/** A receiver that does not answer must not delay the end of the process. */
const CLOSE_FLUSH_TIMEOUT_MS = 2_000;

/** Records spans and exports them as the `OTEL_…` variables say. Not loaded where traces are off. */
export function openSpans({ environment, version, clock, log }: Parts): Spans {
  const own = resourceFromAttributes({ 'service.name': 'parley', 'service.version': version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler: samplerOf(environment),
    spanProcessors: [
      new BatchSpanProcessor({
        ...batchingOf(environment),
        exporter: reporting(new OTLPTraceExporter(), log),
      }),
    ],
  });
  const tracer = provider.getTracer('parley', version);
  const running = new AsyncLocalStorage<Span>();

  function contextOf(parent: string | undefined) {
    const remote = parent === undefined ? null : parseTraceParent(parent);
    if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
    const current = running.getStore();
    return current ? trace.setSpan(ROOT_CONTEXT, current) : ROOT_CONTEXT;
  }

  return {
    async inside({ name, kind, attributes, parent }, work) {
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes: known(attributes) },
        contextOf(parent),
      );
      const noted: Noted = {
        traceparent: traceparentOf(span),
        note: (more) => void span.setAttributes(known(more)),
        failed: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
      };
      try {
        return await running.run(span, work, noted);
      } catch (error) {
        noted.failed();
        throw error;
      } finally {
        span.end();
      }
    },
    current() {
      const span = running.getStore();
      return span && traceparentOf(span);
    },
    close: () =>
      waitAtMost(
        clock,
        CLOSE_FLUSH_TIMEOUT_MS,
        provider
          .shutdown()
          .catch((error: unknown) => log.warn({ err: error }, 'the last traces were not sent')),
      ).then(() => {}),
  };
}

function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return traceFlags & TraceFlags.SAMPLED ? `00-${traceId}-${spanId}-01` : undefined;
}

function known(attributes: Attributes): Record<string, string | number> {
  const entries = Object.entries(attributes);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

/** Spans that cannot be exported are dropped and logged: nothing else depends on them. */
function reporting(exporter: SpanExporter, log: Parts['log']): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS)
          log.warn(
            { spans: spans.length, reason: result.error?.name },
            'could not send traces; they are dropped',
          );
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Variables of OpenTelemetry's specification that its exporter does not read. As specified, an invalid value counts as absent. */

const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

function samplerOf({ OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: ratio }: Environment): Sampler {
  const make = SAMPLERS[name] ?? SAMPLERS.parentbased_always_on;
  const share = ratio === undefined || ratio === '' ? 1 : Number(ratio);
  return make?.(share >= 0 && share <= 1 ? share : 1) ?? new AlwaysOnSampler();
}

function batchingOf(environment: Environment): Omit<BatchSpanProcessorOptions, 'exporter'> {
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
