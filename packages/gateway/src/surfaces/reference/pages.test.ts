import { gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createHttpServer } from '#platform/http';
import { referencePages } from './index.ts';

const server = createHttpServer({
  routes: [],
  pages: referencePages({
    baseUrl: () => 'https://gateway.example.com',
    version: '1.2.3',
    network: 'sandbox',
  }),
  gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
  operatorToken: undefined,
  ids: { request: () => 'req_1' },
  log: pino({ level: 'silent' }),
});

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe('/docs', () => {
  test('is a public page, under a policy that allows nothing from other hosts', async () => {
    const answer = await get('/docs');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:;/,
    );
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.body).toContain('https://gateway.example.com/v1/messages');
  });

  test('answers 304 when the client has the current page', async () => {
    const { headers } = await get('/docs');
    const again = await get('/docs', { 'if-none-match': `"other", ${headers.etag}` });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect(again.headers.etag).toBe(headers.etag);
    expect((await get('/docs', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('is compressed for clients that accept it', async () => {
    const plain = await get('/docs', { 'accept-encoding': 'gzip;q=0, identity' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await get('/docs', { 'accept-encoding': 'br, gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers.vary).toBe('Accept-Encoding');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  });

  test('serves every file that it links to, each cacheable for ever', async () => {
    const { body } = await get('/docs');
    const files = [...body.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, address]) => address ?? '');
    expect(new Set(files).size).toBe(7);
    for (const file of files) {
      const answer = await get(file);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toContain('immutable');
      expect(answer.headers.etag).toBeDefined();
      expect(answer.headers['content-type']).toMatch(
        /^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/,
      );
    }
  });

  test('answers HEAD, refuses other methods, and serves no other files', async () => {
    const head = await server.inject({ method: 'HEAD', url: '/docs' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const post = await server.inject({ method: 'POST', url: '/docs' });
    expect([post.statusCode, post.headers.allow, post.json()]).toEqual([
      405,
      'GET, HEAD',
      { error: 'method not allowed' },
    ]);
    const missing = await get('/docs/assets/..%2Fpages.ts');
    expect([missing.statusCode, missing.json()]).toEqual([404, { error: 'not found' }]);
  });
});

test('/openapi.json is a valid OpenAPI document with the address in effect', async () => {
  const answer = await get('/openapi.json');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const document = answer.json();
  expect(document.servers).toEqual([{ url: 'https://gateway.example.com' }]);
  expect(document.info.version).toBe('1.2.3');
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  expect((await get('/openapi.json', { 'if-none-match': String(answer.headers.etag) })).statusCode).toBe(304);
});
