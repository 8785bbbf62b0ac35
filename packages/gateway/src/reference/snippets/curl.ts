import type { Operation } from '@parley/contract';
import { type ExampleRequest, exampleRequest, indented } from './request.ts';

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
    // Line breaks inside values are escaped in JSON, so the ones found here are only layout.
    body !== undefined && `-d ${quoted(indented(JSON.stringify(body, null, 2), '  '))}`,
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
