import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { bodyLimit, type Operation, operations, PERMISSIONS, REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '#platform/observe';
import { type Method, OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { createHttpServer } from './index.ts';

const PREFIXES: Record<Operation['surface'], RegExp> = {
  v1: /^\/v1\//,
  signed: /^\/v1\//,
  operator: /^\/operator\/v1\//,
  portal: /^\/portal\/api\//,
  portal_entrance: /^\/portal\/api\//,
  public: /^\/(?!v1\/|operator\/|portal|sandbox)/,
};

/** The virtual network is a separate party: it has its own routes, and one guard before all of them. */
const SANDBOX = /^\/sandbox\/v1(\/|$)/;
/** Publishes the network's address and public keys to other gateways. */
const OPEN_IN_SANDBOX: ReadonlySet<string> = new Set(['/sandbox/v1/endpoint']);

/** The error in the declaration of a route; null when it is complete. */
function complaintAbout({ method, url, config = {} }: RouteOptions): string | null {
  const declared = [config.operation, config.page, config.foreign, config.refused].filter(
    (each) => each !== undefined,
  );
  if (declared.length !== 1) return `${method} ${url} must carry an operation, a page or that it refuses`;
  return config.operation ? complaintAboutOperation([method].flat(), url, config.operation) : null;
}

function complaintAboutOperation(methods: string[], url: string, operation: Operation): string | null {
  const { id, method, path, surface, permission, limits, subject } = operation;
  const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method];
  if (url !== path.replaceAll(/\{([^}]+)\}/g, ':$1')) return `${id} is served under ${url}`;
  if (!methods.every((each) => allowed.includes(each))) return `${id} is served by ${methods}`;
  if (!PREFIXES[surface]?.test(path)) return `${id} is not where its surface is`;
  if (!Array.isArray(limits)) return `${id} declares no limits`;
  if (surface !== 'v1') return permission === undefined ? null : `${id} has a permission without effect`;
  if (permission === undefined || ![...PERMISSIONS, 'none'].includes(permission))
    return `${id} declares no permission`;
  if (path.includes('{') && subject === undefined) return `${id} does not say whose thing it is about`;
  return null;
}

describe('the routes', () => {
  const routes: RouteOptions[] = [];
  const sandboxRoutes: RouteOptions[] = [];
  let gateway: TestGateway;

  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      if (SANDBOX.test(route.url)) sandboxRoutes.push(route);
      else routes.push(route);
    });
  };

  beforeAll(async () => {
    subscribe('fastify.initialization', watch);
    gateway = await startGateway();
    unsubscribe('fastify.initialization', watch);
    await gateway.app.http.ready();
  });
  afterAll(() => gateway.close());

  it('all declare what they are, and an operation also its owner, permission and limits', () => {
    expect(routes.length).toBeGreaterThan(100);
    expect(routes.map(complaintAbout).filter((complaint) => complaint !== null)).toEqual([]);
  });

  it('serve every operation of the contract exactly once', () => {
    const served = routes.flatMap(({ method, config }) =>
      method !== 'HEAD' && config?.operation ? [config.operation.id] : [],
    );
    expect(served.sort()).toEqual(Object.keys(operations).sort());
  });

  it('answer 405 for every other method, and list the existing ones', async () => {
    const { supportedMethods } = gateway.app.http;
    const served = routes.filter(({ config }) => !config?.refused);
    for (const [url, known] of Map.groupBy(served, (route) => route.url)) {
      if (url.endsWith('*')) continue;
      const allowed = new Set(known.flatMap(({ method }) => method));
      for (const method of supportedMethods.filter((each) => !allowed.has(each))) {
        const { statusCode, headers } = await gateway.request({
          method: method as Method,
          url: url.replaceAll(/:[a-z_]+/g, '15550002001'),
          key: OPERATOR_TOKEN,
        });
        expect([statusCode, new Set(`${headers.allow}`.split(', '))], `${method} ${url}`).toEqual([
          405,
          allowed,
        ]);
      }
    }
  });

  it('take no larger body than the contract says', () => {
    const larger = routes.filter(({ bodyLimit: limit = 0, config }) =>
      config?.operation ? limit !== bodyLimit(config.operation) : limit > REQUEST_BODY_MAX_BYTES,
    );
    expect(larger).toEqual([]);
  });

  it('of the virtual network are all behind the operator’s token', async () => {
    expect(sandboxRoutes.length).toBeGreaterThan(20);
    for (const { method, url } of sandboxRoutes) {
      const path = url.replaceAll(/:[a-z_]+/g, '15550002001');
      if (OPEN_IN_SANDBOX.has(path)) continue;
      for (const each of [method].flat()) {
        const answer = await gateway.request({ method: each as Method, url: path, key: 'x'.repeat(20) });
        expect(answer.statusCode, `${each} ${url}`).toBe(401);
      }
    }
  });

  describe('are looked at by a test that', () => {
    const handler = () => {};
    const { getSession } = operations;

    it.each<[string, RouteOptions]>([
      ['declares nothing', { method: 'GET', url: '/v1/backdoor', handler }],
      [
        'lacks a permission',
        {
          method: 'GET',
          url: '/v1/x',
          handler,
          config: { operation: { ...operations.getTerms, path: '/v1/x', permission: undefined as never } },
        },
      ],
      [
        'lacks its subject',
        {
          method: 'GET',
          url: '/v1/sessions/:id',
          handler,
          config: { operation: { ...getSession, subject: undefined as never } },
        },
      ],
      [
        'lacks limits',
        {
          method: 'GET',
          url: '/v1/sessions/:id',
          handler,
          config: { operation: { ...getSession, limits: undefined as never } },
        },
      ],
      [
        'sits under another path',
        { method: 'GET', url: '/v1/session/:id', handler, config: { operation: getSession } },
      ],
      [
        'answers another method',
        { method: 'POST', url: '/v1/sessions/:id', handler, config: { operation: getSession } },
      ],
      [
        'is on the wrong surface',
        {
          method: 'GET',
          url: '/v1/sessions/:id',
          handler,
          config: { operation: { ...getSession, surface: 'public', sdk: undefined, mcp: undefined } },
        },
      ],
    ])('refuses one that %s', (_what, route) => {
      expect(complaintAbout(route)).not.toBeNull();
    });

    it('refuses a surface without a guard', async () => {
      const operation = { ...operations.getHealth, surface: 'backstage' } as unknown as Operation;
      const server = createHttpServer({
        routes: [{ operation, handle: async () => ({ status: 'ok' }) }],
        gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
        operatorToken: undefined,
        ids: { request: () => 'req_1' },
        log: createLog('silent'),
      });
      expect((await server.inject('/healthz')).statusCode).toBe(404);
    });

    it('detects a route that was added beside the contract', async () => {
      const seen: RouteOptions[] = [];
      const server = Fastify();
      server.addHook('onRoute', (route) => void seen.push(route));
      server.get('/v1/backdoor', handler);
      expect(seen.map(complaintAbout)).not.toContain(null);
    });
  });
});
