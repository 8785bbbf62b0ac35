import {
  EXAMPLE_PICTURE,
  type Operation,
  operations,
  type RunStep,
  SEND_KINDS,
  type SendKindName,
  type Surface,
  successStatus,
} from '@parley/contract';
import { exampleBody, exampleHeaders, exampleOf, exampleParams } from './model/examples.ts';
import type { JsonSchema } from './model/fields.ts';
import { pathSegment } from './snippets/request.ts';

const EXAMPLE_SESSION = '15550001001:1@s.whatsapp.net';
/** The client replaces it with a new UUID for each request. */
const NEW_UUID = '{{$guid}}';
const BY_HAND = 'Not in a run';
const LAST = 'Clearing up';

/** Ids in the examples, each with the variable that holds the real one. */
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

/** Variables that a run sets. */
const KEPT = new Set(
  Object.values<Operation>(operations).flatMap(({ run }) => Object.keys(run?.keeps ?? {})),
);

/**
 * A collection of requests in Postman's format 2.1, which Bruno, Insomnia and Hoppscotch read as well. A run of the whole collection walks
 * through a gateway; requests that end something or need a person come last and are skipped in a run.
 */
export function requestCollection({ baseUrl, version }: { baseUrl: string; version: string }): object {
  const shown = Object.values<Operation>(operations).filter(({ tag }) => tag !== 'Portal');
  const steps = shown.flatMap((operation) => (operation.run ? stepsOf(operation, operation.run) : []));
  const byHand = shown.filter(({ run }) => run === undefined);
  return {
    info: {
      name: 'Parley',
      description: [
        'Every request of the Parley API, generated from its contract. Fill in `api_key` first; with `operator_token` the operator’s requests are run too.',
        `A run of the whole collection goes from top to bottom, and stores the ids that it needs in variables. Requests in “${BY_HAND}” end something or need a person: set \`by_hand\` to \`yes\` to send them.`,
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
      ...inRunOrder(steps, LAST).map(({ name, steps }) => ({ name, item: steps.map(({ item }) => item) })),
      { name: BY_HAND, item: byHand.map((operation) => request(operation, {}, { isByHand: true })) },
    ],
  };
}

/** One request per operation, except for the send: one per kind of message. */
function stepsOf(operation: Operation, run: RunStep): Step[] {
  const step = (item: object, { keeps = {} }: RunStep): Step => ({
    folder: run.last ? LAST : (run.folder ?? operation.tag),
    keeps: Object.keys(keeps),
    uses: usedIn(item),
    item,
  });
  if (operation.id !== operations.sendMessage.id) return [step(request(operation, run), run)];
  return SENDS.map(({ kind: name, body: given }) => {
    const kind = SEND_KINDS[name];
    const body = given ? { session_id: EXAMPLE_SESSION, ...given } : kind.example;
    const own = { body, ...(name === 'text' && { keeps: run.keeps }) };
    return step(request(operation, own, { name: `${operation.summary}: ${kind.summary}` }), own);
  });
}

/** Variables that earlier requests have to store. */
function usedIn(item: object): string[] {
  return [...JSON.stringify(item).matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, variable = '']) => variable)
    .filter((variable) => KEPT.has(variable));
}

function request(
  operation: Operation,
  { body = exampleBody(operation), query = {}, keeps }: RunStep,
  { name, isByHand = false }: { name?: string; isByHand?: boolean } = {},
): object {
  const headers = Object.entries(exampleHeaders(operation)).map(([key, value]) => ({
    key,
    value: key === 'Idempotency-Key' ? NEW_UUID : value,
  }));
  return {
    name: name ?? operation.summary,
    event: [...before(operation, isByHand), ...after(successStatus(operation), keeps)].map(asEvent),
    request: {
      method: operation.method,
      description: operation.description ?? operation.summary,
      ...authOf(operation),
      ...contentOf(operation, body, headers),
      url: urlOf(operation, query),
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
      // Variables with numbers stand without quotes.
      raw: withVariables(JSON.stringify(body, null, 2)).replace('"{{server_id}}"', '{{server_id}}'),
      options: { raw: { language: 'json' } },
    },
  };
}

/** Set where a request does not use the key of the collection. */
const AUTH: Readonly<Record<Surface, { auth?: object }>> = {
  v1: {},
  operator: { auth: bearer('operator_token') },
  signed: { auth: { type: 'noauth' } },
  public: { auth: { type: 'noauth' } },
  portal: {},
  portal_entrance: {},
};

/** In production the metrics need the operator token unless they have a token of their own. */
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
    // Some programs read the query only from here.
    raw: `{{base_url}}${path}${Object.keys(chosen).length > 0 ? `?${new URLSearchParams(chosen)}` : ''}`,
    host: ['{{base_url}}'],
    path: path.split('/').slice(1),
    variable: Object.entries(params).map(([key, value]) => ({
      key,
      value: withVariables(pathSegment(value)),
    })),
    // Optional fields are listed, but disabled.
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

/** Replaces examples whose files are not served anywhere. */
const WITH_FILES: { readonly [K in SendKindName]?: Readonly<Record<string, unknown>> } = {
  media: {
    to: '15550002001',
    media_type: 'document',
    media_id: '{{media_id}}',
    file_name: 'Invoice 1042.txt',
  },
  media_status: { type: 'status', status_type: 'image', ...EXAMPLE_PICTURE, caption: 'New in the window' },
  sticker: { to: '15550002001', type: 'sticker', ...EXAMPLE_PICTURE },
};

/** One send per kind of message, deletion last. */
const SENDS = (Object.keys(SEND_KINDS) as SendKindName[])
  .sort((one, other) => Number(one === 'revoke') - Number(other === 'revoke'))
  .map((kind) => ({ kind, body: WITH_FILES[kind] }));

/** A script of Postman's, limited to calls that Bruno translates when it reads the collection. */
interface Script {
  readonly listen: 'prerequest' | 'test';
  readonly lines: readonly string[];
}

/** Pause between sends: most numbers may send once per second, and a faster run would be refused. */
const SENDS_APART_MS = 1_100;

/** Skips or delays the request. */
function before({ id, surface }: Operation, isByHand: boolean): Script[] {
  const lines = [
    ...(isByHand ? ["if (pm.collectionVariables.get('by_hand') !== 'yes') pm.execution.skipRequest();"] : []),
    ...(surface === 'operator'
      ? ["if (!pm.collectionVariables.get('operator_token')) pm.execution.skipRequest();"]
      : []),
    ...(id === 'sendMessage' || id === 'postToNewsletter'
      ? // Postman and Newman wait for timers, Bruno for the returned promise.
        [`return new Promise((resume) => setTimeout(resume, ${SENDS_APART_MS}));`]
      : []),
  ];
  return lines.length === 0 ? [] : [{ listen: 'prerequest', lines }];
}

/** Checks for success, and stores the values that later requests need. */
function after(status: number, keeps: Readonly<Record<string, string>> = {}): Script[] {
  return [
    {
      listen: 'test',
      lines: [
        `pm.test('answered with ${status}', () => pm.response.to.have.status(${status}));`,
        ...Object.entries(keeps).map(
          ([variable, place]) => `pm.collectionVariables.set('${variable}', pm.response.json().${place});`,
        ),
      ],
    },
  ];
}

/** One request of a run of the whole collection. */
interface Step {
  readonly folder: string;
  /** Variables that its answer sets. */
  readonly keeps: readonly string[];
  /** Variables that an earlier step has to set. */
  readonly uses: readonly string[];
  readonly item: object;
}

interface Folder {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Orders folders by their steps, each after those that set its variables; the folder called `last` ends the run. */
export function inRunOrder(steps: readonly Step[], last: string): Folder[] {
  const grouped = [...Map.groupBy(steps, ({ folder }) => folder)].map(([name, own]) => ({
    name,
    steps: own,
  }));
  const ends = grouped.filter(({ name }) => name === last);
  const left = grouped.filter(({ name }) => name !== last);
  const kept = new Set<string>();
  const ordered: Folder[] = [];
  while (left.length > 0) {
    const next = left.find((folder) => finds(folder, kept));
    if (next === undefined) throw new Error(`no request keeps what those in “${left[0]?.name}” use`);
    left.splice(left.indexOf(next), 1);
    ordered.push(next);
    for (const variable of next.steps.flatMap(({ keeps }) => keeps)) kept.add(variable);
  }
  return [...ordered, ...ends];
}

/** Whether each step finds its variables, set earlier or in its own folder. */
function finds({ steps }: Folder, before: ReadonlySet<string>): boolean {
  const kept = new Set(before);
  return steps.every(({ uses, keeps }) => {
    const isReady = uses.every((variable) => kept.has(variable));
    for (const variable of keeps) kept.add(variable);
    return isReady;
  });
}
