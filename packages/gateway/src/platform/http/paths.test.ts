import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Operation } from '@parley/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { type Owner, PORTAL_HEADERS, signIn } from '#surfaces/portal/testing';
import { moveIn, startGateway, type Tenant, type TestGateway } from '#testing';
import { allOperations, sampleRequest } from './testing/harness.ts';

/** Spellings of a path that parsers of URLs resolve differently. */
const BENDS: Record<string, (path: string) => string> = {
  'behind another surface, with dots': (path) => `/v1/..${path}`,
  'behind the pages, with dots': (path) => `/docs/..${path}`,
  'behind the sandbox, with dots': (path) => `/sandbox/v1/../..${path}`,
  'with dots that lead to the top and beyond': (path) => `/../..${path}`,
  'with dots in the middle': (path) => path.replace(/\/([^/]+)$/, '/x/../$1'),
  'with one dot': (path) => `/.${path}`,
  'with encoded dots': (path) => `/v1/%2e%2e${path}`,
  'with half-encoded dots': (path) => `/v1/.%2E${path}`,
  'with encoded slashes': (path) => path.replace(/(?<=.)\//g, '%2f'),
  'with dots behind encoded slashes': (path) => `/v1/x%2f..%2f..${path}`,
  'with backslashes': (path) => path.replace(/(?<=.)\//g, '\\'),
  'with dots and backslashes': (path) => `/v1/..\\${path.slice(1)}`,
  'with encoded backslashes': (path) => `/v1/..%5c${path.slice(1)}`,
  'with two slashes before it': (path) => `/${path}`,
  'with two slashes inside it': (path) => path.replace(/(?<=.)\//, '//'),
};

const surfaces = Map.groupBy(
  allOperations.filter(({ surface }) => surface !== 'public'),
  ({ surface }) => surface,
);

interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

describe('a path', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  let owner: Owner;
  let port: number;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    // Heartbeats would change rows during the test.
    gateway = await startGateway({ machineClock: createSteppedClock() });
    ada = await moveIn(gateway);
    owner = await signIn(gateway);
    await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = gateway.app.http.server.address() as AddressInfo);
  });
  afterAll(async () => {
    agent.destroy();
    await gateway.close();
  });

  /** Sends the path unchanged: most clients normalize it. */
  function ask(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const content = body === undefined ? {} : { 'content-type': 'application/json' };
      const options = { host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...content } };
      const asking = request(options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { statusCode: status = 0, headers: answered } = response;
        resolve({
          status,
          type: answered['content-type'] ?? '',
          body: Buffer.concat(chunks).toString(),
        });
      });
      asking.on('error', reject);
      asking.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Credentials that may not use the surface. */
  const credentials = (surface: Operation['surface']): Record<string, string>[] => {
    const key = { authorization: `Bearer ${ada.apiKey}` };
    const visit = { cookie: owner.browser.cookie, ...PORTAL_HEADERS };
    if (surface === 'operator') return [{}, key, visit];
    return surface === 'v1' ? [{}, visit] : [{}, key];
  };

  async function everything(): Promise<unknown> {
    const { read } = gateway.app.store;
    const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(
      read,
    );
    return Promise.all(
      tables.rows.map(async ({ name }) => [
        name,
        (await sql`select * from ${sql.id(name)}`.execute(read)).rows,
      ]),
    );
  }

  describe.each(Object.keys(BENDS).entries().toArray())('bent (%i) %s', (at, how) => {
    it.each([...surfaces])('does not reach %s', async (surface, operations) => {
      const before = await everything();
      const known = credentials(surface);
      for (const [nth, operation] of operations.entries()) {
        const { url, body } = sampleRequest(operation, ada);
        const path = BENDS[how]?.(url) ?? url;
        // In rotation: each operation meets all of them, each bend too.
        const headers = known[(nth + at) % known.length] ?? {};
        const answer = await ask(operation.method, path, {
          headers,
          ...(operation.method !== 'GET' && { body }),
        });
        const what = `${operation.method} ${path} → ${answer.status} ${answer.body.slice(0, 200)}`;
        expect(answer.status >= 400 && answer.status < 500, what).toBe(true);
        expect(JSON.parse(answer.body), what).toEqual({ error: expect.any(String) });
      }
      expect(await everything()).toEqual(before);
    });
  });

  it.each(['/portal/', '/portal/assets/', '/docs/', '/docs/guides/', '/'])(
    'below %s leads to no other file',
    async (place) => {
      const climb = ['../', '%2e%2e/', '..%2f', '%2e%2e%2f', '..\\', '..%5c', './/../'];
      for (const step of climb)
        for (const target of ['package.json', 'etc/passwd']) {
          const path = place + step.repeat(8) + target;
          const { body } = await ask('GET', path);
          for (const content of ['"name": "parley', '"workspaces"', 'root:'])
            expect(body, path).not.toContain(content);
        }
    },
  );
});
