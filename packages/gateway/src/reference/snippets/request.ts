import type { Operation, Surface } from '@parley/contract';
import { exampleBody, exampleHeaders, exampleParams, exampleQuery } from '../model/examples.ts';

/** The variable of the surroundings that holds the secret of a surface. */
const SECRETS: Record<Surface, string | undefined> = {
  v1: 'PARLEY_API_KEY',
  signed: undefined,
  operator: 'PARLEY_OPERATOR_TOKEN',
  portal: undefined,
  portal_entrance: undefined,
  public: undefined,
};

/** An example of a request, before it is written in some language. */
export interface ExampleRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly url: string;
  /** Without the secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | undefined;
  /** JSON; undefined where there is none. */
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

/** The colon of a device suffix may stand in a path, and reads better so. */
export function pathSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

/** Every line but the first. */
export function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}
