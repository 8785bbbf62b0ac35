import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { admittedCallers, bodyLimit, type Operation, pageLimit } from '@parley/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Method, OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';

/** Bounds of a route's requests before their content is known. */
interface Bounds {
  readonly route: string;
  readonly bodyBytes: number | undefined;
  /** Maximum number of entries of a response, or its other bound. */
  readonly page: number | string | undefined;
  readonly callers: string | undefined;
}

const environment = { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution,cloud' };
const SANDBOX = /^\/sandbox\/v1(\/|$)/;
/** Endpoints from which clients of those interfaces request everything at once. */
const LISTS = /\.(?:find(?:Messages|Chats|Contacts)|fetch(?:AllGroups|Instances))$/;
const LARGEST_FILE_BYTES = 90 * 1024 * 1024;
const routes: RouteOptions[] = [];
let gateway: TestGateway;

beforeAll(async () => {
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  gateway = await startGateway({ environment });
  unsubscribe('fastify.initialization', watch);
  await gateway.app.http.ready();
});
afterAll(() => gateway.close());

function boundsOf({ method, url, bodyLimit: limit, config = {} }: RouteOptions): Bounds {
  const route = `${[method].flat().join(',')} ${url}`;
  const { operation, endpoint, page, refused } = config;
  if (operation) return ofOperation(route, operation, limit);
  if (endpoint) {
    const { bodyMaxBytes, pageMax = 'no list', permission, open } = endpoint;
    const callers = open ? 'anyone' : permission && `a key with ${permission}`;
    return { route, bodyBytes: bodyMaxBytes === limit ? limit : undefined, page: pageMax, callers };
  }
  const noBody = { route, bodyBytes: 0, page: 'no list' };
  if (page) return { ...noBody, callers: 'anyone' };
  if (refused) return { ...noBody, callers: 'none' };
  // The virtual network is a separate party, with one guard before all of its routes.
  const isSandbox = SANDBOX.test(url);
  const isReadOnly = [method].flat().every((each) => ['GET', 'HEAD', 'OPTIONS'].includes(each));
  return {
    route,
    bodyBytes: isReadOnly ? 0 : (limit ?? gateway.app.http.initialConfig.bodyLimit),
    page: isSandbox ? 'what its own phones have' : undefined,
    callers: isSandbox ? 'the operator' : undefined,
  };
}

function ofOperation(route: string, operation: Operation, limit: number | undefined): Bounds {
  const declared = bodyLimit(operation);
  return {
    route,
    bodyBytes: declared === limit ? limit : undefined,
    page: pageLimit(operation) ?? operation.listBound ?? 'no list',
    callers: admittedCallers(operation),
  };
}

it('every route of every surface declares a body limit, a page limit and its callers', () => {
  const all = routes.map(boundsOf);
  const surfaces = [
    '/v1/',
    '/operator/v1/',
    '/portal/api/',
    '/evolution/',
    '/cloud/',
    '/sandbox/v1/',
    '/healthz',
  ];
  for (const surface of surfaces)
    expect(
      all.some(({ route }) => route.includes(` ${surface}`)),
      surface,
    ).toBe(true);
  const lacking = all.filter(
    ({ bodyBytes = Number.NaN, page, callers }) =>
      !(bodyBytes <= LARGEST_FILE_BYTES) || page === undefined || callers === undefined,
  );
  expect(lacking).toEqual([]);
});

it('a list of another program’s interface has pages', () => {
  const lists = routes.filter(({ config }) => LISTS.test(config?.foreign ?? ''));
  const whole = lists.filter(({ config }) => config?.endpoint?.pageMax === undefined);
  expect(lists.length).toBeGreaterThan(0);
  expect(whole.map(({ config }) => config?.foreign)).toEqual([]);
});

it('no route that requires a key reads the body of an unauthenticated client', async () => {
  const keyed = routes
    .map((route) => ({ ...boundsOf(route), route }))
    .filter(({ callers }) => callers?.startsWith('a '));
  expect(keyed.length).toBeGreaterThan(100);
  for (const { route } of keyed) {
    const method = [route.method].flat()[0] as Method;
    if (method === 'GET') continue;
    const url = route.url
      .replaceAll(/:[A-Za-z_]+\(\^v[^)]*\)/g, 'v21.0')
      .replaceAll(/:[A-Za-z_]+/g, '15550002001')
      .replaceAll('*', 'x');
    const headers = {
      'content-type': 'application/json',
      'x-parley-portal': '1',
      'sec-fetch-site': 'same-origin',
    };
    const body = `"${'x'.repeat(2 * 1024 * 1024)}"`;
    const answer = await gateway.request({ method, url, headers, body });
    expect([401, 403, 404], `${method} ${url} → ${answer.body}`).toContain(answer.statusCode);
  }
  expect(gateway.app.http.bodyBudget.refused).toEqual({ all: 0, share: 0 });
});
