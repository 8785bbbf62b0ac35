import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';

describe('the operator API', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const url = `/operator/v1${path}`;
    const answer = await gateway.request({ method, url, key: OPERATOR_TOKEN, body });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };

  it('takes an account from its first day to its first invoice', async () => {
    const made = await ask('POST', '/accounts', { name: 'Ada', email: 'ada@example.com' });
    expect(made).toMatchObject({ status: 201, body: { status: 'active', tos_accepted_version: null } });
    const path = `/accounts/${made.body.account_id}`;
    expect(await ask('GET', path)).toEqual({ status: 200, body: made.body });
    expect(await ask('GET', '/accounts')).toEqual({
      status: 200,
      body: { accounts: [made.body], next_cursor: null },
    });

    const device = await ask('POST', `${path}/devices`, { phone: '15550001001', plan: 'pro' });
    expect(device).toMatchObject({ status: 201, body: { phone: '15550001001', quota: 10_000, used: 0 } });
    expect(await ask('GET', `${path}/devices`)).toEqual({
      status: 200,
      body: { devices: [device.body], next_cursor: null },
    });
    expect(await ask('GET', `/devices/${device.body.slot_id}`)).toEqual({ status: 200, body: device.body });
    expect(await ask('PATCH', `/devices/${device.body.slot_id}`, { plan: 'max' })).toMatchObject({
      status: 200,
      body: { plan: 'max', quota: 50_000 },
    });

    const key = await ask('POST', `${path}/api-keys`, { name: 'shop', permissions: ['messages'] });
    expect(key).toMatchObject({
      status: 201,
      body: { name: 'shop', permissions: ['messages'], phone: null },
    });
    const { api_key, ...shown } = key.body;
    expect(await ask('GET', `${path}/api-keys`)).toEqual({
      status: 200,
      body: { api_keys: [shown], next_cursor: null },
    });
    expect((await gateway.request({ method: 'GET', url: '/v1/tos', key: api_key })).statusCode).toBe(200);

    const terms = { version: '2026-01', url: 'https://parley.example/tos' };
    const inTwoWeeks = new Date(gateway.clock.now() + 14 * 86_400_000).toISOString();
    expect(await ask('POST', '/tos', terms)).toEqual({
      status: 201,
      body: { ...terms, effective_at: inTwoWeeks },
    });
    expect(await ask('PATCH', path, { accept_tos: true })).toMatchObject({
      status: 200,
      body: { tos_accepted_version: '2026-01' },
    });

    gateway.clock.advance(32 * 86_400_000);
    const run = await ask('POST', '/invoices/run');
    expect(run).toMatchObject({ status: 200, body: { invoices: [{ phone: '15550001001', plan: 'max' }] } });
    expect(await ask('GET', '/invoices')).toEqual({ status: 200, body: { ...run.body, next_cursor: null } });
    expect(await ask('POST', '/invoices/run', {})).toEqual({ status: 200, body: { invoices: [] } });

    expect(await ask('DELETE', `${path}/api-keys/${key.body.key_id}`)).toEqual({
      status: 204,
      body: undefined,
    });
    expect((await ask('DELETE', `${path}/api-keys/${key.body.key_id}`)).status).toBe(404);
  });

  it.each([
    ['GET', '/accounts/acc_none', undefined, 404, 'account not found'],
    ['GET', '/accounts/acc_none/devices', undefined, 404, 'account not found'],
    ['GET', '/devices/slot_none', undefined, 404, 'device not found'],
    ['PATCH', '/accounts/acc_none', { status: 'suspended' }, 404, 'account not found'],
    ['POST', '/accounts', { name: 'Twin', email: 'ADA@example.com' }, 409, 'email already has an account'],
    [
      'POST',
      '/tos',
      { version: '2026-01', url: 'https://x.example' },
      409,
      'terms of service version already exists',
    ],
    [
      'POST',
      '/tos',
      { version: 'new', url: 'https://x.example', effective_at: '2020-01-01T00:00:00Z' },
      400,
      'effective_at must be a time in the future; pass now to let the terms take effect at once',
    ],
    [
      'POST',
      '/tos',
      { version: 'new', url: 'https://x.example', effective_at: '2199-01-01T00:00:00Z', now: true },
      400,
      'effective_at and now exclude each other',
    ],
    ['POST', '/invoices/run', { until: '2199-01-01T00:00:00Z' }, 400, 'until must be a time that has passed'],
    ['POST', '/invoices/run', { until: '2026-02-31T99:00:00Z' }, 400, 'until must be a time that has passed'],
  ] as const)('%s %s with %j is refused', async (method, path, body, status, error) => {
    expect(await ask(method, path, body)).toEqual({ status, body: { error } });
  });
});
