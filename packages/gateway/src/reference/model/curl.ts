import type { Operation, Surface } from '@parley/contract';
import { exampleBody, exampleHeaders, exampleParams, exampleQuery } from './examples.ts';

/** The shell variable that holds the secret of a surface. */
const SECRETS: Record<Surface, string | undefined> = {
  v1: 'PARLEY_API_KEY',
  signed: undefined,
  operator: 'PARLEY_OPERATOR_TOKEN',
  portal: undefined,
  portal_entrance: undefined,
  public: undefined,
};

/** A request that works when pasted, given a base URL that reaches the gateway. */
export function curlOf(
  operation: Operation,
  { baseUrl, body = exampleBody(operation) }: { baseUrl: string; body?: unknown },
): string {
  const { method, answerType, streamType, surface } = operation;
  const secret = SECRETS[surface];
  const streams = answerType === 'text/event-stream' || streamType !== undefined;
  const command = ['curl', streams && '-N', method !== 'GET' && `-X ${method}`];
  const parts = [
    [...command, quoted(baseUrl + pathOf(operation))].filter(Boolean).join(' '),
    secret && `-H "Authorization: Bearer $${secret}"`,
    ...Object.entries(exampleHeaders(operation)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    body !== undefined && `-H 'Content-Type: application/json'`,
    body !== undefined && `-d ${quoted(indented(JSON.stringify(body, null, 2)))}`,
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

function pathOf(operation: Operation): string {
  const params = exampleParams(operation);
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    pathSegment(params[name] ?? ''),
  );
  const query = new URLSearchParams(exampleQuery(operation)).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The colon of a device suffix may stand in a path, and reads better so. */
export function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

/** Line breaks inside values are escaped in JSON, so the ones found here are only layout. */
function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
