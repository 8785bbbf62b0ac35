import type { Operation } from '@parley/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Owner, PORTAL_HEADERS, signIn } from '#surfaces/portal/testing';
import {
  databaseNames,
  moveIn,
  OPERATOR_TOKEN,
  startGateway,
  type Tenant,
  type TestGateway,
  type TestRequest,
} from '#testing';
import { allOperations } from './testing/harness.ts';
import { modifyRequest, strangePath } from './testing/modified-requests.ts';

/** Random in each run: what one run does not find, a later one will. Most bugs occur on both databases. */
const RUNS_PER_OPERATION = { SQLite: 12, PostgreSQL: 5 };

/** A stream has no end, so its final status is unknown. */
const ending = allOperations.filter(({ answerType }) => answerType !== 'text/event-stream');
/** Operators come last, and terms at the very end: what they break stays broken. */
const inOrder = ending.sort((one, other) => rank(one) - rank(other));
function rank({ surface, id }: Operation): number {
  if (id === 'publishTerms') return 4;
  if (id === 'signOutEverywhere') return 2;
  return surface === 'operator' ? 3 : 1;
}

describe.each(databaseNames)('whatever a caller sends (%s)', (database) => {
  let gateway: TestGateway;
  let ada: Tenant;
  let owner: Owner;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    ada = await moveIn(gateway);
    owner = await signIn(gateway);
  });
  afterAll(() => gateway.close());

  async function expectGoodManners(request: TestRequest): Promise<void> {
    const { statusCode, body, headers } = await gateway.request(request);
    const what = `${request.method} ${request.url} ${JSON.stringify(request.body)} → ${statusCode} ${body}`;
    expect(statusCode, what).toBeLessThan(500);
    if (statusCode < 400) return;
    expect(headers['content-type'], what).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body), what).toEqual({ error: expect.stringMatching(/^[^\n]{1,400}$/) });
  }

  it.each(inOrder.map((operation) => [operation.id, operation] as const))(
    'to %s gets a well-formed response',
    async (_id, operation) => {
      const key = operation.surface === 'operator' ? OPERATOR_TOKEN : ada.apiKey;
      const headers =
        operation.surface === 'portal' ? { ...PORTAL_HEADERS, cookie: owner.browser.cookie } : {};
      const property = fc.asyncProperty(modifyRequest(operation, ada), (request) =>
        expectGoodManners({
          method: operation.method,
          key,
          ...request,
          headers: { ...request.headers, ...headers },
        }),
      );
      await fc.assert(property, { numRuns: RUNS_PER_OPERATION[database] });
    },
  );

  it('to any other path gets a well-formed response', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
    const property = fc.asyncProperty(method, strangePath, (each, url) =>
      expectGoodManners({ method: each, url, key: ada.apiKey }),
    );
    await fc.assert(property, { numRuns: 8 * RUNS_PER_OPERATION[database] });
  });

  it('leaves the gateway ready, with no bug and no secret in its log', async () => {
    expect((await gateway.request({ method: 'GET', url: '/readyz' })).statusCode).toBe(200);
    const log = gateway.log();
    expect(log).not.toContain('internal_error');
    for (const secret of [ada.apiKey, OPERATOR_TOKEN, owner.browser.cookie])
      expect(log).not.toContain(secret);
  });
});
