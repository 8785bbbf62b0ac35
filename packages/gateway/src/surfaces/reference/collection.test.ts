import { type Operation, operations, parseSend, SEND_KINDS } from '@parley/contract';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { inRunOrder, requestCollection } from './collection.ts';

/** The parts of Postman's published schema that the collection uses; it must contain nothing else. */
const closed = { additionalProperties: false };
const Text = Type.String();
const Auth = Type.Union([
  Type.Object({ type: Type.Literal('noauth') }, closed),
  Type.Object(
    {
      type: Type.Literal('bearer'),
      bearer: Type.Array(
        Type.Object({ key: Type.Literal('token'), value: Text, type: Type.Literal('string') }, closed),
      ),
    },
    closed,
  ),
]);
const Item = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    event: Type.Array(
      Type.Object(
        {
          listen: Type.Union([Type.Literal('prerequest'), Type.Literal('test')]),
          script: Type.Object({ type: Type.Literal('text/javascript'), exec: Type.Array(Text) }, closed),
        },
        closed,
      ),
    ),
    request: Type.Object(
      {
        method: Type.Union(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => Type.Literal(method))),
        description: Text,
        auth: Type.Optional(Auth),
        header: Type.Array(Type.Object({ key: Text, value: Text }, closed)),
        url: Type.Object(
          {
            raw: Type.String({ pattern: '^\\{\\{base_url\\}\\}/' }),
            host: Type.Array(Text),
            path: Type.Array(Type.String({ minLength: 1 })),
            variable: Type.Array(Type.Object({ key: Text, value: Text }, closed)),
            query: Type.Array(
              Type.Object({ key: Text, value: Text, description: Text, disabled: Type.Boolean() }, closed),
            ),
          },
          closed,
        ),
        body: Type.Optional(
          Type.Object(
            {
              mode: Type.Literal('raw'),
              raw: Text,
              options: Type.Optional(Type.Object({ raw: Type.Object({ language: Type.Literal('json') }) })),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    response: Type.Array(Type.Never()),
  },
  closed,
);
const Collection = Type.Object(
  {
    info: Type.Object(
      {
        name: Text,
        description: Text,
        version: Text,
        schema: Type.Literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
      },
      closed,
    ),
    auth: Auth,
    variable: Type.Array(Type.Object({ key: Text, value: Text, type: Type.Literal('string') }, closed)),
    item: Type.Array(Type.Object({ name: Text, item: Type.Array(Item) }, closed)),
  },
  closed,
);

const made: unknown = JSON.parse(
  JSON.stringify(requestCollection({ baseUrl: 'https://gateway.example.com', version: '1.2.3' })),
);
const { item: folders } = made as Static<typeof Collection>;
const requests = folders.flatMap(({ item }) => item);
const exampleIn = (name: string): string =>
  (made as Static<typeof Collection>).variable.find(({ key }) => key === name)?.value ?? '';

test('has the form of a Postman collection', () => {
  expect([...Value.Errors(Collection, made)]).toEqual([]);
});

test('has every operation except the portal’s own, and the send once per kind', () => {
  const named = requests.map(({ request }) => `${request.method} /${request.url.path.join('/')}`);
  const wanted = Object.values<Operation>(operations)
    .filter(({ tag }) => tag !== 'Portal')
    .map(({ method, path }) => `${method} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`);
  expect([...new Set(named)].toSorted()).toEqual(wanted.toSorted());
  expect(named.filter((name) => name === 'POST /v1/messages')).toHaveLength(Object.keys(SEND_KINDS).length);
});

test('every variable of a path and of the collection has a value, and every send is valid once they are filled in', () => {
  for (const { request } of requests) {
    const variables = request.url.path
      .filter((segment) => segment.startsWith(':'))
      .map((segment) => segment.slice(1));
    expect(request.url.variable.map(({ key }) => key)).toEqual(variables);
    for (const { key, value } of request.url.variable)
      expect(value, `${request.url.raw} ${key}`).not.toMatch(/^(undefined)?$/);
    if (!request.url.raw.endsWith('/v1/messages')) continue;
    const body = request.body?.raw.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => exampleIn(name)) ?? '';
    expect(parseSend(JSON.parse(body))).toMatchObject({ ok: true });
  }
});

test('a run ends nothing that it has not created', () => {
  const [byHand] = folders.slice(-1);
  expect(byHand?.name).toBe('Not in a run');
  for (const { event } of byHand?.item ?? [])
    expect(event[0]?.script.exec[0]).toMatch(/^if \(.*'by_hand'.*skipRequest\(\);$/);
  const ending = folders
    .slice(0, -1)
    .flatMap(({ item }) => item)
    .filter(({ request }) => request.method === 'DELETE' || request.url.raw.endsWith('/tos'))
    .map(({ request }) => `${request.method} ${request.url.raw.slice('{{base_url}}'.length)}`);
  expect(ending).toEqual([
    'GET /v1/tos',
    'DELETE /operator/v1/accounts/:account_id/api-keys/:key_id',
    'GET /operator/v1/tos',
    'DELETE /v1/webhooks/:id',
  ]);
});

test('every variable is set by an earlier request', () => {
  const given = new Set(['base_url', 'api_key', 'operator_token', 'by_hand', '$guid', '$timestamp']);
  for (const { name, event, request } of folders.slice(0, -1).flatMap(({ item }) => item)) {
    const used = JSON.stringify(request).matchAll(/\{\{([$\w]+)\}\}/g);
    for (const [, variable = ''] of used) expect([...given], name).toContain(variable);
    for (const line of event.flatMap(({ script }) => script.exec)) {
      const kept = /collectionVariables\.set\('(\w+)'/.exec(line)?.[1];
      if (kept !== undefined) given.add(kept);
    }
  }
});

test('orders a folder after those that set its variables, and refuses variables that no request sets', () => {
  const step = (folder: string, uses: string[], keeps: string[]) => ({ folder, uses, keeps, item: {} });
  const sends = step('Messages', ['media_id'], ['message_id']);
  const steps = [
    step('End', [], []),
    step('Chats', ['message_id'], []),
    sends,
    step('Media', [], ['media_id']),
  ];
  expect(inRunOrder(steps, 'End').map(({ name }) => name)).toEqual(['Media', 'Messages', 'Chats', 'End']);
  expect(() => inRunOrder([sends], 'End')).toThrow('no request keeps what those in “Messages” use');
});
