import { type Operation, PERMISSIONS, sampleError } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { everyRow, moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import { allOperations, sampleRequest, type Things } from './testing/harness.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

const v1 = allOperations.filter(({ surface }) => surface === 'v1');
const aboutSession = v1.filter(({ subject }) => subject === 'session' || subject === 'body_session');
const aboutOtherThings = v1.filter(
  ({ subject }) => subject && subject !== 'session' && subject !== 'body_session',
);
const portal = allOperations.filter(({ surface }) => surface === 'portal');
const operator = allOperations.filter(({ surface }) => surface === 'operator');

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.id, operation] as const);

describe('tenants', () => {
  let gateway: TestGateway;
  let ada: Tenant & Things;
  let eve: Tenant;

  beforeAll(async () => {
    // Heartbeats would change rows during the test.
    gateway = await startGateway({ machineClock: createSteppedClock() });
    ada = await furnish(await moveIn(gateway));
    eve = await moveIn(gateway);
  });
  afterAll(() => gateway.close());

  /** Creates one of everything that a tenant can have. */
  async function furnish(tenant: Tenant): Promise<Tenant & Things> {
    const make = async (id: string, field: string): Promise<string | undefined> => {
      const answer = await ask(operationOf(id), tenant.apiKey, tenant);
      return answer.statusCode < 300 ? answer.json()[field] : undefined;
    };
    const webhookId = await make('createWebhook', 'id');
    const onboardId = await make('startQrPairing', 'onboard_id');
    const upload = { method: 'POST', url: '/v1/media', key: tenant.apiKey, body: 'a file' } as const;
    const mediaId: string = (await gateway.request(upload)).json().media_id;
    const furnished = { ...tenant, webhookId, onboardId, mediaId };
    // Background changes have to settle first.
    await vi.waitFor(async () => {
      const answer = await ask(operationOf('getOnboarding'), tenant.apiKey, furnished);
      expect(answer.json().status).not.toBe('pending');
    }, PATIENCE);
    return furnished;
  }

  function operationOf(id: string): Operation {
    const found = allOperations.find((operation) => operation.id === id);
    if (!found) throw new Error(`There is no operation ${id}.`);
    return found;
  }

  function ask(operation: Operation, key: string | undefined, things: Things, on = gateway) {
    const headers = { 'idempotency-key': `${operation.id}-of-a-test` };
    return on.request({ method: operation.method, key, headers, ...sampleRequest(operation, things) });
  }

  const expectRefusal = (
    { statusCode, body }: { statusCode: number; body: string },
    { status, text }: { status: number; text: string },
  ) => expect({ status: statusCode, body: JSON.parse(body) }).toEqual({ status, body: { error: text } });

  /** Whatever the handler answers: the ownership check has passed. */
  const expectAdmitted = ({ statusCode, body }: { statusCode: number; body: string }) => {
    expect(statusCode).not.toBe(401);
    const refusals = [
      'session_not_owned',
      'key_restricted',
      'permission_missing',
      'device_not_active',
    ] as const;
    for (const refusal of refusals) expect(body).not.toContain(sampleError(refusal).text);
  };

  describe('need a key', () => {
    it.each(named(v1))('for %s', async (_id, operation) => {
      expectRefusal(await ask(operation, undefined, ada), sampleError('api_key_invalid'));
      expectRefusal(await ask(operation, OPERATOR_TOKEN, ada), sampleError('api_key_invalid'));
    });
  });

  describe('never reach another’s session', () => {
    it.each(named(aboutSession))('by %s', async (_id, operation) => {
      const before = await everyRow(gateway);
      expectRefusal(await ask(operation, eve.apiKey, ada), sampleError('session_not_owned'));
      expect(await everyRow(gateway)).toEqual(before);
    });

    it.each(named(aboutSession))('but their own, by %s', async (_id, operation) => {
      expectAdmitted(await ask(operation, ada.apiKey, ada));
    });

    it.each(named(aboutSession))('nor one that cannot exist, by %s', async (_id, operation) => {
      for (const sessionId of ['unknown', '15550009999@s.whatsapp.net', '120363041234567890@g.us']) {
        const answer = await ask(operation, ada.apiKey, { ...ada, sessionId });
        expectRefusal(answer, sampleError('session_not_owned'));
      }
    });

    it('nor its events', async () => {
      const url = `/v1/events?session_id=${encodeURIComponent(ada.sessionId)}`;
      for (const accept of ['application/json', 'text/event-stream'])
        for (const more of ['', '&wait_seconds=1', '&after=0-0']) {
          const headers = { accept };
          const answer = await gateway.request({ method: 'GET', url: url + more, key: eve.apiKey, headers });
          expectRefusal(answer, sampleError('session_not_owned'));
        }
    });
  });

  describe('never reach another’s things', () => {
    it.each(named(aboutOtherThings))('by %s', async (_id, operation) => {
      const before = await everyRow(gateway);
      const answer = await ask(operation, eve.apiKey, ada);
      expect([403, 404]).toContain(answer.statusCode);
      expect(Object.keys(answer.json())).toEqual(['error']);
      expect(await everyRow(gateway)).toEqual(before);
    });
  });

  describe('by a link', () => {
    const signed = allOperations.filter(({ surface }) => surface === 'signed');

    it.each(named(signed))('without a signature reach nothing: %s', async (_id, operation) => {
      const before = await everyRow(gateway);
      for (const key of [undefined, ada.apiKey, eve.apiKey, OPERATOR_TOKEN])
        for (const id of [ada.mediaId ?? '', 'med_none'])
          for (const query of ['?expires=9999999999&signature=AAAA', '?expires=1&signature=-']) {
            const url = `${operation.path.replace('{id}', id)}${query}`;
            const answer = await gateway.request({ method: operation.method, url, key });
            expectRefusal(answer, sampleError('media_link_invalid'));
          }
      expect(await everyRow(gateway)).toEqual(before);
    });
  });

  describe('with a key that is restricted to another number', () => {
    let key: string;
    beforeAll(async () => {
      const second = await gateway.operate<{ phone: string }>('POST', `/accounts/${ada.accountId}/devices`, {
        phone: '15558880001',
        plan: 'max',
      });
      key = await ada.makeKey({ phone: second.phone });
    });

    it.each(named(aboutSession))('are refused %s', async (_id, operation) => {
      expectRefusal(await ask(operation, key, ada), sampleError('key_restricted'));
      const own = await ask(operation, key, { ...ada, sessionId: '15558880001@s.whatsapp.net' });
      expectAdmitted(own);
    });
  });

  describe('with a key that lacks the permission', () => {
    const keys = new Map<string, string>();
    beforeAll(async () => {
      for (const missing of PERMISSIONS) {
        const permissions = PERMISSIONS.filter((permission) => permission !== missing);
        keys.set(missing, await ada.makeKey({ permissions }));
      }
    });

    it.each(named(v1.filter(({ permission }) => permission !== 'none')))(
      'are refused %s',
      async (_id, operation) => {
        const permission = operation.permission ?? 'none';
        for (const [missing, key] of keys) {
          const answer = await ask(operation, key, ada);
          const refused =
            answer.statusCode === 403 && answer.json().error === `api key lacks permission ${permission}`;
          expect(refused, `without ${missing}`).toBe(missing === permission);
        }
      },
    );
  });

  describe('that are blocked', () => {
    let suspended: Tenant;
    let unwilling: Tenant;
    beforeAll(async () => {
      suspended = await moveIn(gateway);
      unwilling = await moveIn(gateway);
      await gateway.operate('POST', '/tos', { version: 'v1', url: 'https://parley.example/tos', now: true });
      for (const { accountId } of [ada, eve, suspended])
        await gateway.operate('PATCH', `/accounts/${accountId}`, { accept_tos: true });
      await gateway.operate('PATCH', `/accounts/${suspended.accountId}`, { status: 'suspended' });
      gateway.clock.advance(1_001);
    });

    it.each(named(v1.filter(({ answersBlockedAccounts }) => !answersBlockedAccounts)))(
      'are refused with the reason by %s',
      async (_id, operation) => {
        expectRefusal(await ask(operation, suspended.apiKey, suspended), sampleError('account_suspended'));
        expectRefusal(await ask(operation, unwilling.apiKey, unwilling), sampleError('tos_not_accepted'));
      },
    );

    it('can still list the terms to accept', async () => {
      for (const [tenant, pending] of [
        [suspended, null],
        [unwilling, 'v1'],
      ] as const) {
        const answer = await ask(operationOf('getTerms'), tenant.apiKey, tenant);
        expect(answer.json()).toMatchObject({ current_version: 'v1', pending_version: pending });
      }
    });
  });

  describe('whose number is not active', () => {
    const onSession = aboutSession.filter(({ subject }) => subject === 'session');
    const onNetwork = onSession.filter(({ sessionMustBe }) => sessionMustBe !== undefined);
    let tenant: Tenant;
    const become = async (status: 'active' | 'inactive' | 'suspended') => {
      await gateway.operate('PATCH', `/devices/${tenant.slotId}`, { status });
      gateway.clock.advance(1_001);
    };
    beforeAll(async () => {
      tenant = await moveIn(gateway);
      await gateway.operate('PATCH', `/accounts/${tenant.accountId}`, { accept_tos: true });
      await become('suspended');
    });

    it.each(named([...onSession, operationOf('sendMessage')]))(
      'because it is suspended, are refused %s, and nothing changes',
      async (_id, operation) => {
        const before = await everyRow(gateway);
        expectRefusal(await ask(operation, tenant.apiKey, tenant), sampleError('device_not_active'));
        expect(await everyRow(gateway)).toEqual(before);
      },
    );

    it('because it was suspended, are admitted again after that is lifted', async () => {
      await become('active');
      for (const operation of onSession) expectAdmitted(await ask(operation, tenant.apiKey, tenant));
    });

    it('because it is inactive, are refused everything that needs the network; its session can be read and ended', async () => {
      await become('inactive');
      for (const operation of onNetwork) {
        expectRefusal(await ask(operation, tenant.apiKey, tenant), sampleError('device_not_active'));
      }
      for (const id of ['getSession', 'deleteSession']) {
        expectAdmitted(await ask(operationOf(id), tenant.apiKey, tenant));
      }
    });
  });

  describe('are not operators', () => {
    it.each(named(operator))('and cannot use %s', async (_id, operation) => {
      const before = await everyRow(gateway);
      for (const key of [undefined, ada.apiKey, `${OPERATOR_TOKEN}x`, 'x'])
        expectRefusal(await ask(operation, key, ada), sampleError('operator_token_invalid'));
      expect(await everyRow(gateway)).toEqual(before);
    });
  });

  describe('who have not signed in', () => {
    it.each(named(portal))('cannot use %s, with a key either', async (_id, operation) => {
      const before = await everyRow(gateway);
      for (const key of [undefined, ada.apiKey, OPERATOR_TOKEN]) {
        const answer = await ask(operation, key, ada);
        expect([401, 403, 404]).toContain(answer.statusCode);
        expect(Object.keys(answer.json())).toEqual(['error']);
      }
      expect(await everyRow(gateway)).toEqual(before);
    });
  });

  describe('of a gateway without operator', () => {
    let bare: TestGateway;
    beforeAll(async () => {
      bare = await startGateway({ environment: {} });
    });
    afterAll(() => bare.close());

    it.each(named(operator))('see no trace of %s', async (_id, operation) => {
      for (const key of [undefined, OPERATOR_TOKEN])
        expectRefusal(await ask(operation, key, ada, bare), sampleError('not_found'));
      const { url } = sampleRequest(operation, ada);
      expectRefusal(await bare.request({ method: 'PUT', url }), sampleError('not_found'));
    });
  });
});
