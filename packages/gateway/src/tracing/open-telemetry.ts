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
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Environment } from '#config';
import { type Clock, waitAtMost } from '#kernel';
import type { Attributes, Noted, Spans } from './spans.ts';
import { batchingOf, samplerOf } from './standard-variables.ts';

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
/** A receiver that does not answer must not hold up the end of the process. */
const LAST_WORDS_MS = 2_000;

/** Records spans and sends them where the `OTEL_…` variables say. Nothing here is loaded where traces are off. */
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
        LAST_WORDS_MS,
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

/** What cannot be sent is dropped, and the log says so: nothing else depends on it. */
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
