import type { Operation, Surface } from '@parley/contract';
import { exampleBody, exampleHeaders, exampleParams, exampleQuery } from '../model/examples.ts';

/** Environment variable with the secret of a surface. */
const SECRETS: Record<Surface, string | undefined> = {
  v1: 'PARLEY_API_KEY',
  signed: undefined,
  operator: 'PARLEY_OPERATOR_TOKEN',
  portal: undefined,
  portal_entrance: undefined,
  public: undefined,
};

/** A request of an example, independent of the language. */
export interface ExampleRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
  /** Headers without the secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | undefined;
  /** JSON; undefined when there is none. */
  readonly body: unknown;
  /** The answer is no JSON, or does not end. */
  readonly answersText: boolean;
}

export function exampleRequest(
  operation: Operation,
  { baseUrl, body = exampleBody(operation) }: { baseUrl: string; body?: unknown },
): ExampleRequest {
  const { method, surface, answerType, streamType, answers } = operation;
  return {
    operation,
    method,
    url: baseUrl + pathOf(operation),
    headers: {
      ...exampleHeaders(operation),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    secret: SECRETS[surface],
    body,
    answersText: answerType !== undefined || streamType !== undefined || !Object.values(answers)[0],
  };
}

function pathOf(operation: Operation): string {
  const params = exampleParams(operation);
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    pathSegment(params[name] ?? ''),
  );
  const query = new URLSearchParams(exampleQuery(operation)).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** A path may contain the colon of a device suffix, which reads better unescaped. */
export function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

/** Indents every line but the first. */
export function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** A request that works when pasted, given a base URL that reaches the gateway. */
export function curlOf(operation: Operation, given: { baseUrl: string; body?: unknown }): string {
  return asCurl(exampleRequest(operation, given));
}

function asCurl({ operation, method, url, secret, headers, body }: ExampleRequest): string {
  const streams = operation.answerType === 'text/event-stream' || operation.streamType !== undefined;
  const command = ['curl', streams && '-N', method !== 'GET' && `-X ${method}`];
  const parts = [
    [...command, quoted(url)].filter(Boolean).join(' '),
    secret && `-H "Authorization: Bearer $${secret}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    // JSON escapes line breaks inside values, so the ones here are only layout.
    body !== undefined && `-d ${quoted(indented(JSON.stringify(body, null, 2), '  '))}`,
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
