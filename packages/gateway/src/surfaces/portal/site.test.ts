import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpServer } from '#platform/http';
import { createLog } from '#platform/observe';
import { createPortalSites } from './site.ts';

const PAGE = '<!doctype html><title>Parley</title><script src="/portal/assets/app-1a2b.js"></script>';
const OWNERS_PAGE = '<!doctype html><title>Link</title>';
const SCRIPT = 'console.log("hello");'.repeat(20);

describe('the pages of the portal', () => {
  let folder: string;
  let server: FastifyInstance;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-portal-'));
    server = createHttpServer({
      routes: [],
      sites: Object.values(createPortalSites(path.join(folder, 'dist'))),
      gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
      operatorToken: undefined,
      ids: { request: () => 'req_1' },
      log: createLog('silent'),
    });
    writeFileSync(path.join(folder, 'secret.html'), 'not for the public');
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  function build(page = PAGE): void {
    mkdirSync(path.join(folder, 'dist/assets'), { recursive: true });
    writeFileSync(path.join(folder, 'dist/index.html'), page);
    writeFileSync(path.join(folder, 'dist/link.html'), OWNERS_PAGE);
    writeFileSync(path.join(folder, 'dist/favicon.svg'), '<svg/>');
    writeFileSync(path.join(folder, 'dist/assets/app-1a2b.js'), SCRIPT);
    writeFileSync(path.join(folder, 'dist/assets/app-1a2b.js.map'), '{}');
  }

  it('are one document under every address', async () => {
    build();
    for (const url of ['/portal', '/portal/', '/portal/numbers/15550001001', '/portal/sign-in?next=1']) {
      const answer = await server.inject(url);
      expect({ status: answer.statusCode, body: answer.body }, url).toEqual({ status: 200, body: PAGE });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('allow no foreign scripts or resources, and no framing', async () => {
    build();
    const { headers } = await server.inject('/portal');
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('include a separate one for the owner of a number: the same for every token, as strict, and without a referrer', async () => {
    build();
    for (const url of ['/link/abc', '/link/another']) {
      const { statusCode, body, headers } = await server.inject(url);
      expect([statusCode, body]).toEqual([200, OWNERS_PAGE]);
      expect(headers['content-security-policy']).toContain("script-src 'self';");
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    }
    for (const url of ['/link', '/link/', '/link/abc/more'])
      expect((await server.inject(url)).statusCode).toBe(404);
  });

  it('have assets that a browser may cache for ever, because their names change with their content', async () => {
    build();
    const answer = await server.inject('/portal/assets/app-1a2b.js');
    expect(answer.body).toBe(SCRIPT);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await server.inject('/portal/favicon.svg')).headers['cache-control']).toBe('no-cache');
    expect((await server.inject({ method: 'HEAD', url: '/portal/assets/app-1a2b.js' })).statusCode).toBe(200);
  });

  it('are compressed for clients that accept it', async () => {
    build();
    const url = '/portal/assets/app-1a2b.js';
    const answer = await server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(answer.rawPayload).toString()).toBe(SCRIPT);
    expect(answer.rawPayload.length).toBeLessThan(SCRIPT.length / 2);
  });

  it.each([
    '/portal/assets/gone.js',
    '/portal/assets/app-1a2b.js.map',
    '/portal/assets/../../secret.html',
    '/portal/assets/%2e%2e/%2e%2e/secret.html',
    '/portal/assets/..%2f..%2fsecret.html',
    '/portal/api',
    '/portal/api/unknown',
  ])('are not found at %s', async (url) => {
    build();
    const answer = await server.inject(url);
    expect({ status: answer.statusCode, body: answer.json() }).toEqual({
      status: 404,
      body: { error: 'not found' },
    });
  });

  it('explain how to build them while there is no build, and are served as soon as there is one', async () => {
    const before = await server.inject('/portal');
    expect(before.body).toContain('npm run build');
    build();
    expect((await server.inject('/portal')).body).toBe(PAGE);
    build('<!doctype html><title>Newer</title>');
    utimesSync(path.join(folder, 'dist/index.html'), 1, 1);
    expect((await server.inject('/portal')).body).toContain('Newer');
  });
});
