import { createServer } from 'node:http';

/** The fields of an OTLP span in JSON that the tests read. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The process that sent it. */
  readonly instance: string;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All requests, unparsed. */
  readonly raw: () => string;
  close(): void;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}
interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes' | 'instance'> & {
        readonly attributes: readonly OtlpAttribute[];
      })[];
    }[];
  }[];
}

/** A trace collector: OTLP over HTTP, in JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let raw = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    raw += body;
    if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(body)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    raw: () => raw,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spansIn({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const instance = String(plain(resource.attributes)['service.instance.id']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: plain(span.attributes), instance })),
    );
  });
}

function plain(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
