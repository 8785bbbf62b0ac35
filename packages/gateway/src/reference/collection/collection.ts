import {
  type Operation,
  type OperationId,
  operations,
  SEND_KINDS,
  type SendKindName,
  type Surface,
  successStatus,
} from '@parley/contract';
import { exampleBody, exampleHeaders, exampleOf, exampleParams } from '../model/examples.ts';
import type { JsonSchema } from '../model/fields.ts';
import { pathSegment } from '../snippets/request.ts';
import { after, before, type Script } from './scripts.ts';
import { SENDS, type Stop, WALK } from './walk.ts';

const EXAMPLE_SESSION = '15550001001:1@s.whatsapp.net';
/** Replaced by the client with a new UUID each time. */
const NEW_UUID = '{{$guid}}';
const BY_HAND = 'Not in a run';

/** What stands for the things of the gateway in examples, and the variable that has the real one. */
const VARIABLES: Readonly<Record<string, string>> = {
  [EXAMPLE_SESSION]: 'session_id',
  '120363041234567890@g.us': 'group_id',
  '120363107654321098@newsletter': 'newsletter',
  '3EB0C767D71C5A4F1D2B': 'message_id',
  med_01jb2x9q4m: 'media_id',
  wh_01j9z6m4k2: 'webhook_id',
  acc_01j9z6m4k2: 'account_id',
  key_01j9z6m4k2: 'key_id',
  mem_01j9z6m4k2: 'member_id',
  slot_01j9z6m4k2: 'slot_id',
  inv_01j9z6m4k2: 'invoice_id',
};

/**
 * A collection of requests in Postman's format 2.1, which Bruno, Insomnia and Hoppscotch read as well. Run as a whole it walks through a
 * gateway; what would end something, or needs somebody's hand, comes last and is left out of a run.
 */
export function requestCollection({ baseUrl, version }: { baseUrl: string; version: string }): object {
  const shown = Object.values<Operation>(operations).filter(({ tag }) => tag !== 'Portal');
  const walked = new Set<string>(WALK.map(({ operation }) => operation));
  const byHand = shown.filter(({ id }) => !walked.has(id));
  const folders = [...new Set(WALK.map(folderOf))];
  return {
    info: {
      name: 'Parley',
      description: [
        'Every request of the Parley API, made from its contract. Fill in `api_key` first; with `operator_token` the operator’s requests are run too.',
        `A run of the whole collection goes through it from top to bottom, and keeps the ids that it needs in variables. What is in “${BY_HAND}” ends something or needs somebody’s hand: set \`by_hand\` to \`yes\` to send it.`,
      ].join('\n\n'),
      version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('api_key'),
    variable: [
      ['base_url', baseUrl],
      ['api_key', ''],
      ['operator_token', ''],
      ['by_hand', 'no'],
      ...Object.entries(VARIABLES).map(([example, key]) => [key, example]),
      ['server_id', '1'],
      ['post_id', '3EB0C767D71C5A4F1D2B'],
    ].map(([key, value]) => ({ key, value, type: 'string' })),
    item: [
      ...folders.map((name) => ({
        name,
        item: WALK.filter((stop) => folderOf(stop) === name).flatMap(stopsOf),
      })),
      {
        name: BY_HAND,
        item: byHand.map(({ id }) => request({ operation: id as OperationId }, { isByHand: true })),
      },
    ],
  };
}

function folderOf({ operation, folder }: Stop): string {
  const { tag }: Operation = operations[operation];
  return folder ?? tag;
}

/** One, except for the send: one for each kind of message. */
function stopsOf(stop: Stop): object[] {
  if (stop.operation !== 'sendMessage') return [request(stop)];
  const { summary } = operations.sendMessage;
  return Object.entries(SENDS).map(([name, given]) => {
    const kind = SEND_KINDS[name as SendKindName];
    const body = given ? { session_id: EXAMPLE_SESSION, ...given } : kind.example;
    const keeps = name === 'text' ? stop.keeps : undefined;
    return request(
      { operation: stop.operation, body, ...(keeps && { keeps }) },
      { name: `${summary}: ${kind.summary}` },
    );
  });
}

function request(stop: Stop, { name, isByHand = false }: { name?: string; isByHand?: boolean } = {}): object {
  const operation: Operation = operations[stop.operation];
  const { body = exampleBody(operation) } = stop;
  const headers = Object.entries(exampleHeaders(operation)).map(([key, value]) => ({
    key,
    value: key === 'Idempotency-Key' ? NEW_UUID : value,
  }));
  return {
    name: name ?? operation.summary,
    event: [...before(operation, isByHand), ...after(successStatus(operation), stop.keeps)].map(asEvent),
    request: {
      method: operation.method,
      description: operation.description ?? operation.summary,
      ...authOf(operation),
      ...contentOf(operation, body, headers),
      url: urlOf(operation, stop.query ?? {}),
    },
    response: [],
  };
}

function asEvent({ listen, lines }: Script): object {
  return { listen, script: { type: 'text/javascript', exec: lines } };
}

function contentOf(
  operation: Operation,
  body: unknown,
  headers: readonly { key: string; value: string }[],
): object {
  const typed = (type: string) => [...headers, { key: 'Content-Type', value: type }];
  if (operation.takesFile) return { header: typed('text/plain'), body: { mode: 'raw', raw: 'Invoice 1042' } };
  if (body === undefined) return { header: headers };
  return {
    header: typed('application/json'),
    body: {
      mode: 'raw',
      // Numbers stand without quotes.
      raw: withVariables(JSON.stringify(body, null, 2)).replace('"{{server_id}}"', '{{server_id}}'),
      options: { raw: { language: 'json' } },
    },
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

/** In production the figures ask for the operator's token unless they have one of their own. */
function authOf({ id, surface }: Operation): { auth?: object } {
  return id === 'getMetrics' ? AUTH.operator : AUTH[surface];
}

function bearer(variable: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] };
}

function urlOf(operation: Operation, chosen: Readonly<Record<string, string>>): object {
  const params = exampleParams(operation);
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, ':$1');
  const query: JsonSchema = operation.query ?? {};
  return {
    // Some programs read the query from here alone.
    raw: `{{base_url}}${path}${Object.keys(chosen).length > 0 ? `?${new URLSearchParams(chosen)}` : ''}`,
    host: ['{{base_url}}'],
    path: path.split('/').slice(1),
    variable: Object.entries(params).map(([key, value]) => ({
      key,
      value: withVariables(pathSegment(value)),
    })),
    // Those that are optional are shown, and turned off.
    query: Object.entries(query.properties ?? {}).map(([key, schema]) => ({
      key,
      value: chosen[key] ?? String(exampleOf(schema, key) ?? ''),
      description: schema.description ?? '',
      disabled: chosen[key] === undefined && !query.required?.includes(key),
    })),
  };
}

function withVariables(text: string): string {
  return Object.entries(VARIABLES).reduce(
    (sofar, [example, name]) =>
      sofar.replaceAll(example, `{{${name}}}`).replaceAll(pathSegment(example), `{{${name}}}`),
    text,
  );
}
