import { type Operation, operations, SEND_KINDS, type Surface } from '@parley/contract';
import { pathSegment } from './model/curl.ts';
import { exampleBody, exampleHeaders, exampleOf, exampleParams } from './model/examples.ts';
import type { JsonSchema } from './model/fields.ts';

const EXAMPLE_SESSION = '15550001001:1@s.whatsapp.net';
/** Replaced by the client with a new UUID each time. */
const NEW_UUID = '{{$guid}}';

/** A collection of requests in Postman's format 2.1, which Bruno, Insomnia and Hoppscotch read as well: a folder per subject, a request per operation. */
export function requestCollection({ baseUrl, version }: { baseUrl: string; version: string }): object {
  const shown = Object.values<Operation>(operations).filter(({ tag }) => tag !== 'Portal');
  const tags = [...new Set(shown.map(({ tag }) => tag))];
  return {
    info: {
      name: 'Parley',
      description:
        'Every request of the Parley API, made from its contract. Fill in the variables of the collection first.',
      version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('api_key'),
    variable: [
      { key: 'base_url', value: baseUrl, type: 'string' },
      { key: 'api_key', value: '', type: 'string' },
      { key: 'operator_token', value: '', type: 'string' },
      { key: 'session_id', value: EXAMPLE_SESSION, type: 'string' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      item: shown.filter((operation) => operation.tag === tag).flatMap(requestsOf),
    })),
  };
}

/** One, except for the send: one for each kind of message. */
function requestsOf(operation: Operation): object[] {
  if (operation.id !== operations.sendMessage.id)
    return [request(operation, operation.summary, exampleBody(operation))];
  return Object.values(SEND_KINDS).map(({ summary, example }) =>
    request(operation, `${operation.summary}: ${summary}`, example),
  );
}

function request(operation: Operation, name: string, body: unknown): object {
  const headers = Object.entries(exampleHeaders(operation)).map(([key, value]) => ({
    key,
    value: key === 'Idempotency-Key' ? NEW_UUID : value,
  }));
  return {
    name,
    request: {
      method: operation.method,
      description: operation.description ?? operation.summary,
      ...AUTH[operation.surface],
      header: body === undefined ? headers : [...headers, { key: 'Content-Type', value: 'application/json' }],
      url: urlOf(operation),
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: withVariables(JSON.stringify(body, null, 2)),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  };
}

/** What does not use the key of the collection says so. */
const AUTH: Readonly<Record<Surface, { auth?: object }>> = {
  v1: {},
  operator: { auth: bearer('operator_token') },
  signed: { auth: { type: 'noauth' } },
  public: { auth: { type: 'noauth' } },
  portal: {},
  portal_entrance: {},
};

function bearer(variable: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] };
}

function urlOf(operation: Operation): object {
  const params = exampleParams(operation);
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, ':$1');
  const query: JsonSchema = operation.query ?? {};
  return {
    raw: `{{base_url}}${path}`,
    host: ['{{base_url}}'],
    path: path.split('/').slice(1),
    variable: Object.entries(params).map(([key, value]) => ({
      key,
      value: withVariables(pathSegment(value)),
    })),
    // Those that are optional are shown, and turned off.
    query: Object.entries(query.properties ?? {}).map(([key, schema]) => ({
      key,
      value: String(exampleOf(schema, key) ?? ''),
      description: schema.description ?? '',
      disabled: !query.required?.includes(key),
    })),
  };
}

function withVariables(text: string): string {
  return text
    .replaceAll(EXAMPLE_SESSION, '{{session_id}}')
    .replaceAll(pathSegment(EXAMPLE_SESSION), '{{session_id}}');
}
