import { REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';

describe('an error answer', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  beforeAll(async () => {
    gateway = await startGateway();
    ada = await moveIn(gateway);
  });
  afterAll(() => gateway.close());

  /** The response as a caller sees it: status and the one field of the body. */
  async function answerTo(request: Parameters<TestGateway['request']>[0]) {
    const answer = await gateway.request(request);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.json())).toEqual(['error']);
    return { status: answer.statusCode, error: answer.json().error, headers: answer.headers };
  }

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    answerTo({ method: 'POST', url: '/v1/messages', key: ada.apiKey, body, headers });
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    answerTo({ method: 'POST', url: '/operator/v1/accounts', key: OPERATOR_TOKEN, body, headers });

  describe('to a body', () => {
    it.each([
      ['cut off', '{"name": "Ada"'],
      ['of words', 'hello'],
      ['of two values', '{}{}'],
      ['with a comment', '{/* hi */}'],
      ['with a prototype', '{"__proto__": {"admin": true}, "name": "Ada", "email": "a@b"}'],
      ['with a hidden prototype', '{"constructor": {"prototype": {"admin": true}}}'],
      ['of a byte-order mark alone', '\ufeff'],
    ])('%s says that it is not JSON', async (_what, body) => {
      expect(await create(body)).toMatchObject({ status: 400, error: 'body is not valid JSON' });
    });

    it.each([
      ['a list', '[]', 'body must be a JSON object'],
      ['a text', '"Ada"', 'body must be a JSON object'],
      ['nothing', 'null', 'body must be a JSON object'],
      ['too little', '{"name": "Ada"}', 'email is required'],
      ['a wrong type', '{"name": 1, "email": "a@b"}', 'name must be a string'],
      ['an unknown field', '{"name": "A", "email": "a@b", "nmae": ""}', 'unknown field nmae'],
      ['NUL', '{"name": "A\\u0000", "email": "a@b"}', 'body must not contain NUL'],
      ['NUL in a name', '{"a\\u0000": 1}', 'body must not contain NUL'],
      [
        'half a character',
        '{"name": "A\\uD83D", "email": "a@b"}',
        'body must not contain unpaired surrogates',
      ],
      ['the other half', '{"name": ["\\ude00\\ud83d"]}', 'body must not contain unpaired surrogates'],
    ])('that is %s says what is wrong with which field', async (_what, body, error) => {
      expect(await create(body)).toMatchObject({ status: 400, error });
    });

    it('accepts the mere text of such an escape, or a surrogate pair in escapes', async () => {
      const email = `${'x'.repeat(20)}@example.com`;
      const body = JSON.stringify({ name: 'the text \\u0000', email }).replace('the text', '\\ud83d\\ude00');
      const answer = await gateway.request({
        method: 'POST',
        url: '/operator/v1/accounts',
        key: OPERATOR_TOKEN,
        body,
      });
      expect(answer.json()).toMatchObject({ name: '😀 \\u0000', email });
    });

    it('over the limit says so', async () => {
      const body = JSON.stringify({ text: 'x'.repeat(REQUEST_BODY_MAX_BYTES) });
      expect(await send(body)).toMatchObject({ status: 413, error: 'body is too large' });
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json5', 'nonsense', ''])(
      'of type "%s" asks for JSON',
      async (type) => {
        expect(await create('name=Ada', { 'content-type': type })).toMatchObject({
          status: 415,
          error: 'content type must be application/json',
        });
      },
    );

    it('of the right type in any spelling is read', async () => {
      for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
        expect(await create('{}', { 'content-type': type }), type).toMatchObject({
          error: 'name is required',
        });
      }
    });

    it('that is empty counts as none, whatever its content type', async () => {
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
        const headers = { 'content-type': type, 'content-length': '0' };
        expect(await create('', headers), type).toMatchObject({ error: 'body must be a JSON object' });
        const optional = {
          method: 'POST',
          url: '/operator/v1/invoices/run',
          key: OPERATOR_TOKEN,
          headers,
        } as const;
        expect((await gateway.request({ ...optional, body: '' })).statusCode, type).toBe(200);
      }
    });
  });

  describe('to a path', () => {
    it.each(['//', '/v1', '/v1/', '/v2/messages', '/V1/messages', '/v1//messages', '/operator/v1'])(
      '%s that does not exist is 404',
      async (url) => {
        expect(await answerTo({ method: 'GET', url })).toMatchObject({ status: 404, error: 'not found' });
      },
    );

    it.each(['/v1/sessions/%', '/v1/sessions/%zz', '/v1/sessions/%E0%A4%A', '/v1/sessions/%C0%AE', '/%'])(
      '%s that cannot be decoded is 404',
      async (url) => {
        expect(await answerTo({ method: 'GET', url, key: ada.apiKey })).toMatchObject({ status: 404 });
      },
    );

    it('with an oversized parameter is 404', async () => {
      const url = `/v1/sessions/${'1'.repeat(600)}`;
      expect(await answerTo({ method: 'GET', url, key: ada.apiKey })).toMatchObject({ status: 404 });
    });

    it('with a parameter that is too long for an id says so', async () => {
      const url = `/v1/sessions/${'1'.repeat(200)}`;
      expect(await answerTo({ method: 'GET', url, key: ada.apiKey })).toMatchObject({
        status: 400,
        error: 'id must be at most 128 characters',
      });
    });

    it('or query with NUL is 400', async () => {
      for (const url of ['/v1/sessions/%00', '/v1/tos?x=%00'])
        expect(await answerTo({ method: 'GET', url, key: ada.apiKey })).toMatchObject({
          status: 400,
          error: 'path and query must not contain NUL',
        });
    });

    it('accepts %40 and @ alike in a session id', async () => {
      for (const at of ['@', '%40']) {
        const url = `/v1/sessions/15550009999${at}s.whatsapp.net`;
        expect(await answerTo({ method: 'GET', url, key: ada.apiKey })).toMatchObject({
          error: 'session does not belong to this user',
        });
      }
    });
  });

  describe('to a method', () => {
    it.each([
      ['PUT', '/v1/messages', 'POST'],
      ['GET', '/v1/messages', 'POST'],
      ['HEAD', '/v1/messages', 'POST'],
      ['OPTIONS', '/v1/sessions/x', 'GET, DELETE, HEAD'],
      ['POST', '/healthz', 'GET, HEAD'],
      ['POST', '/docs/parley.postman_collection.json', 'GET, HEAD'],
    ] as const)('%s %s that the path does not have is 405 with Allow: %s', async (method, url, allow) => {
      const answer = await gateway.request({ method, url });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe(allow);
      expect(method === 'HEAD' || answer.json().error === 'method not allowed').toBe(true);
    });

    it('HEAD answers as GET does', async () => {
      const request = { url: '/v1/tos', key: ada.apiKey };
      const get = await gateway.request({ method: 'GET', ...request });
      const head = await gateway.request({ method: 'HEAD', ...request });
      expect([head.statusCode, head.headers['content-length']]).toEqual([200, get.headers['content-length']]);
      expect((await gateway.request({ method: 'HEAD', url: '/v1/tos' })).statusCode).toBe(401);
    });
  });

  describe('to a key', () => {
    it.each([
      ['no header', undefined],
      ['another scheme', 'Basic YWRhOmxvdmVsYWNl'],
      ['no token', 'Bearer '],
      ['two tokens', 'Bearer a b'],
      ['garbage', 'Bearer 💥'],
      ['something like a key', `Bearer pk_${'0'.repeat(24)}_${'0'.repeat(32)}`],
    ])('%s is 401', async (_what, authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      expect(await answerTo({ method: 'GET', url: '/v1/tos', headers })).toMatchObject({
        status: 401,
        error: 'api key missing or invalid',
      });
    });

    it('that is valid, with the scheme in any case, is no error', async () => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} ${ada.apiKey}` };
        expect((await gateway.request({ method: 'GET', url: '/v1/tos', headers })).statusCode).toBe(200);
      }
    });

    it('revoked or expired is 401', async () => {
      const ben = await moveIn(gateway);
      const guest = await ben.makeKey({ expires_at: new Date(gateway.clock.now() + 5_000).toISOString() });
      for (const key of [ben.apiKey, guest])
        expect((await gateway.request({ method: 'GET', url: '/v1/tos', key })).statusCode).toBe(200);
      await gateway.operate('DELETE', `/accounts/${ben.accountId}/api-keys/${ben.keyId}`);
      gateway.clock.advance(5_000);
      for (const key of [ben.apiKey, guest])
        expect(await answerTo({ method: 'GET', url: '/v1/tos', key })).toMatchObject({ status: 401 });
    });

    it('comes before the body: an unauthenticated client learns nothing about it', async () => {
      const stranger = { method: 'POST', url: '/v1/messages', body: '{' } as const;
      expect(await answerTo(stranger)).toMatchObject({ status: 401 });
    });
  });

  describe('to a query', () => {
    it.each([
      ['?limit=0', 'limit must be an integer between 1 and 500'],
      ['?limit=many', 'limit must be an integer between 1 and 500'],
      ['?limit=1&limit=2', 'limit must be an integer between 1 and 500'],
      ['?lmit=1', 'unknown field lmit'],
    ])('%s names what is wrong', async (query, error) => {
      const url = `/v1/events${query}`;
      expect(await answerTo({ method: 'GET', url, key: ada.apiKey })).toMatchObject({ status: 400, error });
    });
  });
});
