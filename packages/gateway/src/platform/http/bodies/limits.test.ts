import { bodyLimit, type Operation } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Owner, PORTAL_HEADERS, signIn } from '#surfaces/portal/testing';
import { moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import { allOperations, sampleRequest } from '../testing/harness.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const takingBodies = allOperations.filter(({ method, takesFile }) => method !== 'GET' && !takesFile);
const guarded = takingBodies.filter(({ surface }) => ['v1', 'operator', 'portal'].includes(surface));
const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.id, operation] as const);

describe('a body that is longer than its operation needs', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  let owner: Owner;
  beforeAll(async () => {
    gateway = await startGateway();
    ada = await moveIn(gateway);
    owner = await signIn(gateway);
  });
  afterAll(() => gateway.close());

  /** A request whose body is one byte too long, and invalid in every other respect. */
  function tooLong(operation: Operation) {
    const body = `"${'x'.repeat(bodyLimit(operation) - 1)}"`;
    return { method: operation.method, url: sampleRequest(operation, ada).url, body } as const;
  }

  it.each(named(takingBodies))('is refused by %s', async (_id, operation) => {
    const { surface } = operation;
    const isPortal = surface.startsWith('portal');
    const answer = await gateway.request({
      ...tooLong(operation),
      key: isPortal ? undefined : surface === 'operator' ? OPERATOR_TOKEN : ada.apiKey,
      headers: { ...JSON_TYPE, ...(isPortal && { ...PORTAL_HEADERS, cookie: owner.browser.cookie }) },
    });
    expect([answer.statusCode, answer.json()]).toEqual([413, { error: 'body is too large' }]);
  });

  it.each(named(guarded))(
    'reveals nothing to unauthenticated clients at %s: authentication comes first',
    async (_id, operation) => {
      const headers = { ...JSON_TYPE, ...PORTAL_HEADERS };
      const answer = await gateway.request({ ...tooLong(operation), headers });
      expect(answer.statusCode).toBe(401);
    },
  );
});
