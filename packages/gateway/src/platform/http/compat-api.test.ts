import { Readable } from 'node:stream';
import Type from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { createIds, createSteppedClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import {
  type CompatApi,
  type CompatEndpoint,
  CompatError,
  compatEndpoint,
  createBodyBudget,
  createHttpServer,
  type KeyHolder,
} from './index.ts';

const holder = (permissions: KeyHolder['permissions']): KeyHolder => ({
  accountId: 'a',
  keyId: 'k',
  permissions,
  phone: null,
  blocked: null,
});
const KEYS = new Map([
  ['good', holder(null)],
  ['weak', holder(new Set(['groups']))],
]);

/** Smaller than the large body of these tests: holding that would be refused with another error. */
const BODIES_BYTES = 100_000;

describe('an endpoint of another program’s interface', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  function serverOf(endpoint: CompatEndpoint, words: Pick<CompatApi, 'invalid'> = {}) {
    const server = createHttpServer({
      routes: [],
      surfaces: [
        {
          name: 'other',
          prefix: '/other',
          keyOf: ({ header }) => header('apikey'),
          refusal: ({ status, message }) => ({ status, body: { said: message } }),
          ...words,
          endpoints: [endpoint],
        },
      ],
      gatekeeper: { admit: (key) => KEYS.get(key), ownedNumber: () => undefined },
      operatorToken: undefined,
      ids: createIds({ clock: createSteppedClock(), random: systemRandom }),
      log: createLog('silent', { write: () => {} }),
      bodies: createBodyBudget({ maxBytes: BODIES_BYTES }),
    });
    close = async () => server.close();
    return server;
  }

  const echo = compatEndpoint({
    id: 'echo',
    method: 'POST',
    path: '/echo/:name',
    permission: 'messages',
    input: {
      params: Type.Object({ name: Type.String({ maxLength: 5 }) }),
      query: Type.Object({ deep: Type.Optional(Type.Boolean()) }),
      body: Type.Object({
        text: Type.String({ minLength: 1, maxLength: 10 }),
        count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
        loud: Type.Optional(Type.Boolean()),
        tags: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2 })),
      }),
    },
    find: async ({ params: { name = '' } }) => {
      if (name === 'none') throw new CompatError(404, { said: 'no such thing' });
      return name.toUpperCase();
    },
    handle: async ({ subject, query, body }) => ({ body: { subject, query, body } }),
  });

  async function ask(endpoint: CompatEndpoint, url: string, body: string, key = 'good') {
    const pieces = (function* () {
      for (let at = 0; at < body.length; at += 1_024) yield body.slice(at, at + 1_024);
    })();
    const answer = await serverOf(endpoint).inject({
      method: 'POST',
      url,
      headers: { apikey: key, 'content-type': 'application/json', 'content-length': body.length },
      payload: Readable.from(pieces),
    });
    await close();
    return { status: answer.statusCode, body: answer.json() };
  }
  const said = async (url: string, body: object, key?: string) => {
    const answer = await ask(echo, url, JSON.stringify(body), key);
    return [answer.status, answer.body];
  };

  it('accepts numbers and booleans as text, text as a number, and unknown fields', async () => {
    const body = { text: 7, count: '3', loud: 'true', tags: ['a', 2], unknown: { x: 1 }, deep: null };
    const [status, answer] = await said('/other/echo/shop?deep=true&more=1', body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      subject: 'SHOP',
      query: { deep: true },
      body: { text: '7', count: 3, loud: true, tags: ['a', '2'] },
    });
    expect((await said('/other/echo/shop?deep=', { text: 'x', count: '', loud: null }))[0]).toBe(200);
  });

  it.each([
    ['a missing field', '/other/echo/shop', {}, 'text is required'],
    ['a long text', '/other/echo/shop', { text: 'x'.repeat(11) }, 'text must be at most 10 characters'],
    ['a wrong type', '/other/echo/shop', { text: ['x'] }, 'text must be a string'],
    [
      'too high a number',
      '/other/echo/shop',
      { text: 'x', count: 11 },
      'count must be an integer between 0 and 10',
    ],
    [
      'a long list',
      '/other/echo/shop',
      { text: 'x', tags: ['a', 'b', 'c'] },
      'tags must have at most 2 items',
    ],
    ['a body that is a list', '/other/echo/shop', [], 'body must be a JSON object'],
    ['a long part of the path', '/other/echo/longer', { text: 'x' }, 'name must be at most 5 characters'],
    ['a wrong query', '/other/echo/shop?deep=down', { text: 'x' }, 'deep must be true or false'],
  ])('refuses %s in one sentence', async (_title, url, body, sentence) => {
    expect(await said(url, body)).toEqual([400, { said: sentence }]);
  });

  it('reports schema errors in the format of its surface, where it has one', async () => {
    const invalid = ({ field }: { field: string }) => new CompatError(422, { wrong: field });
    const answer = await serverOf(echo, { invalid }).inject({
      method: 'POST',
      url: '/other/echo/shop',
      headers: { apikey: 'good' },
      payload: { text: [] },
    });
    expect([answer.statusCode, answer.json()]).toEqual([422, { wrong: 'text' }]);
  });

  it.each([
    ['a key that is none', '/other/echo/shop', 'wrong', 401],
    ['a key without the right', '/other/echo/shop', 'weak', 403],
    ['what does not exist', '/other/echo/none', 'good', 404],
    ['a path that is too long', '/other/echo/longer', 'good', 400],
    ['a query that is wrong', '/other/echo/shop?deep=down', 'good', 400],
  ])('keeps nothing of a body for %s', async (_title, url, key, status) => {
    const body = JSON.stringify({ text: 'x', rest: 'x'.repeat(900_000) });
    expect((await ask(echo, url, body, key)).status).toBe(status);
    expect((await ask(echo, '/other/echo/shop', body)).status, 'kept').toBe(429);
  });

  it('enforces its declared limits', async () => {
    const small = { ...echo, bodyMaxBytes: 100 };
    const answer = await ask(small, '/other/echo/shop', JSON.stringify({ text: 'x', rest: 'x'.repeat(100) }));
    expect(answer.status).toBe(413);
  });
});
