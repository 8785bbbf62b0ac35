import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { operations } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCaddy, startNginx, type TlsProxy } from '../../../../test/services/proxies.ts';
import { moveIn, OPERATOR_TOKEN, startGateway, type TestGateway } from '../testing/index.ts';

const PROXIES = { nginx: startNginx, Caddy: startCaddy };

interface Request {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** Source address on this machine: any that begins with 127. */
  readonly from?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

describe.each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])('behind %s, with TLS', (name) => {
  let gateway: TestGateway;
  let proxy: TlsProxy;

  beforeAll(async () => {
    proxy = await PROXIES[name](async (url) => {
      const environment = {
        PARLEY_MODE: 'production',
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        PARLEY_PUBLIC_URL: url,
        PARLEY_TRUSTED_PROXIES: '127.0.0.1',
      };
      gateway = await startGateway({ environment });
      await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
      return (gateway.app.http.server.address() as AddressInfo).port;
    });
  });
  afterAll(async () => {
    await proxy?.stop();
    await gateway?.close();
  });

  function ask(path: string, { method = 'GET', body, headers = {}, from = '127.0.0.2' }: Request = {}) {
    return new Promise<Answer>((resolve, reject) => {
      const options = { method, ca: proxy.caPem, localAddress: from, headers, agent: false };
      const outgoing = httpsRequest(new URL(path, proxy.url), options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) {
          chunks.push(chunk);
          // A stream has no end.
          if (response.headers['content-type']?.startsWith('text/event-stream')) break;
        }
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      });
      outgoing.on('error', reject).end(body);
    });
  }

  const signIn = (token: string, from: string, headers = {}) =>
    ask('/portal/api/operator/sign-in', {
      method: 'POST',
      from,
      body: JSON.stringify({ token }),
      headers: { 'x-parley-portal': '1', 'content-type': 'application/json', ...headers },
    });

  async function newKey(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${(await moveIn(gateway)).apiKey}` };
  }

  it('uses its public address', async () => {
    expect(await ask('/')).toMatchObject({ status: 302, headers: { location: '/portal' } });
    expect((await ask('/portal')).status).toBe(200);
    expect((await ask('/docs')).body).toContain(proxy.url);
    expect(JSON.parse((await ask('/openapi.json')).body).servers).toMatchObject([{ url: proxy.url }]);
    expect((await ask('/asyncapi.json')).body).toContain(`${proxy.url}/openapi.json`);
    expect((await ask('/healthz')).status).toBe(200);
  });

  it('keeps internal paths inside', async () => {
    for (const path of ['/metrics', '/readyz', '/operator/v1/accounts', '/sandbox/v1/phones']) {
      expect((await ask(path, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })).status).toBe(404);
    }
  });

  it('locks out the address that guesses keys, whatever its headers claim, and no other', async () => {
    for (let i = 0; i < 5; i++) expect((await signIn(`guess ${i}`, '127.0.0.5')).status).toBe(401);
    expect((await signIn(OPERATOR_TOKEN, '127.0.0.5')).status).toBe(429);
    const disguised = { 'x-forwarded-for': '127.0.0.6' };
    expect((await signIn(OPERATOR_TOKEN, '127.0.0.5', disguised)).status).toBe(429);

    const welcome = await signIn(OPERATOR_TOKEN, '127.0.0.6');
    expect(welcome.status).toBe(204);
    const [cookie = ''] = [welcome.headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(/^__Host-parley_operator=.*; Secure$/);
    const entrance = await ask('/portal/api/entrance', { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(JSON.parse(entrance.body)).toMatchObject({ signed_in: { operator: true } });
  });

  /** Sends the head of a request and the beginning of its body, whose rest never arrives. */
  function beginToAsk(path: string, headers: Record<string, string>, from: string) {
    const options = { method: 'POST', ca: proxy.caPem, localAddress: from, agent: false };
    const outgoing = httpsRequest(new URL(path, proxy.url), {
      ...options,
      headers: { 'content-type': 'application/json', 'content-length': '1000', ...headers },
    });
    begun.push(outgoing);
    const status = new Promise<number>((resolve) => {
      outgoing.on('error', () => {}).once('response', ({ statusCode = 0 }) => resolve(statusCode));
    });
    const written = new Promise<void>((resolve) => outgoing.write('{', () => resolve()));
    return { status, written };
  }
  const begun: ClientRequest[] = [];
  afterEach(() => {
    for (const each of begun.splice(0)) each.destroy();
  });

  it('passes on complete requests, and a file as it arrives', async () => {
    const paths: (string | undefined)[] = [];
    gateway.app.http.server.on('request', ({ url }) => paths.push(url));
    const authorization = await newKey();
    await beginToAsk('/v1/messages', authorization, '127.0.0.7').written;
    await beginToAsk('/v1/media', { ...authorization, 'content-type': 'image/png' }, '127.0.0.7').written;
    await vi.waitFor(() => expect(paths).toContain('/v1/media'));
    expect((await ask('/v1/tos', { headers: authorization, from: '127.0.0.7' })).status).toBe(200);
    expect(paths).not.toContain('/v1/messages');
    const long = { method: 'POST', headers: authorization, body: 'x'.repeat(3_000_000) };
    // Caddy may use another status.
    expect([413, 502]).toContain((await ask('/v1/messages', { ...long, from: '127.0.0.7' })).status);
  });

  // Caddy leaves that to the firewall.
  it.runIf(name === 'nginx')('lets one address ask for so much at a time, and others go on', async () => {
    const half = Array.from({ length: 110 }, () => beginToAsk('/v1/messages', {}, '127.0.0.8'));
    expect(await Promise.race(half.map(({ status }) => status))).toBe(429);
    expect((await ask('/healthz', { from: '127.0.0.8' })).status).toBe(429);
    expect((await ask('/healthz', { from: '127.0.0.9' })).status).toBe(200);
  });

  it('passes on files that exceed the proxy’s default limit, and streams as they are written', async () => {
    const authorization = await newKey();
    const file = { method: 'POST', body: Buffer.alloc(3_000_000, 1) };
    const uploaded = await ask('/v1/media', {
      ...file,
      headers: {
        ...authorization,
        'content-type': 'application/pdf',
        'content-length': `${file.body.length}`,
      },
    });
    expect({ status: uploaded.status, ...JSON.parse(uploaded.body) }).toMatchObject({
      status: 201,
      size: 3_000_000,
    });
    const stream = await ask('/v1/events', { headers: { ...authorization, accept: 'text/event-stream' } });
    expect(stream).toMatchObject({ status: 200, body: expect.stringMatching(/./) });
  });
});

describe('the paths that a proxy passes on', () => {
  const read = (path: string): string =>
    readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  const firstOf = (path: string): string => `/${path.split('/')[1] ?? ''}`;
  const named = (text: string, pattern: RegExp): string[] =>
    [...new Set([...text.matchAll(pattern)].map(([, path = '']) => firstOf(path)))].toSorted();

  /** All paths, by their first segment. */
  async function served(): Promise<string[]> {
    const gateway = await startGateway();
    const listed = gateway.app.http.printRoutes({ commonPrefix: false });
    await gateway.close();
    const inTree = [...listed.matchAll(/^(?: {4})?[├└]── (\/|[\w.-]+)/gm)].map(([, part = '']) => `/${part}`);
    const operated = Object.values(operations).map(({ path }) => path);
    return [...new Set([...operated, ...inTree].map(firstOf))].toSorted();
  }

  it('are all in the guide, with the internal ones', async () => {
    const [, section = ''] = /## Behind a proxy\n([\s\S]*?)\n## /.exec(read('docs/operating.md')) ?? [];
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const guide = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path),
    );
    expect(guide.toSorted()).toEqual(await served());
    const open = rows.filter((row) => row.includes('| yes |')).join('\n');
    const passed = named(open.replaceAll(/\|[^|]*\|[^|]*\|$/gm, ''), /`(\/[^`]*)`/g);
    expect(named(read('deploy/nginx/parley.conf'), /location (?:= )?(\/\S*) \{ proxy_pass/g)).toEqual(passed);
    const [, matcher = ''] = /@public path (.*)/.exec(read('deploy/caddy/Caddyfile')) ?? [];
    expect(named(matcher, /(\/\S*)/g)).toEqual(passed);
  });
});
