import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import { addressOf } from './context.ts';

describe('another program’s interface', () => {
  let gateway: TestGateway;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await startGateway({
      environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution' },
    });
    tenant = await moveIn(gateway);
  });
  afterAll(() => gateway.close());

  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await gateway.request({ method: 'GET', url, headers });
    return { status: answer.statusCode, body: JSON.parse(answer.body), headers: answer.headers };
  };

  it('is disabled unless configured', async () => {
    const plain = await startGateway();
    const { statusCode } = await plain.request({ method: 'GET', url: '/evolution/' });
    await plain.close();
    expect(statusCode).toBe(404);
  });

  it('has a fixed name: a wrong one stops the start with the list of names', async () => {
    const wrong = startGateway({ environment: { PARLEY_COMPAT: 'evolution,evolved' } });
    await expect(wrong).rejects.toThrow(/PARLEY_COMPAT.*evolution/);
  });

  it('answers unknown paths in its own format, with the request id', async () => {
    const { status, body, headers } = await ask('/evolution/nowhere');
    expect([status, body]).toEqual([
      404,
      { status: 404, error: 'Not Found', response: { message: ['not found'] } },
    ]);
    expect(headers['x-request-id']).toMatch(/./);
  });

  it('takes a key in its own header, and refuses it as /v1 does', async () => {
    const asking = '/evolution/instance/fetchInstances';
    expect((await ask(asking)).status).toBe(401);
    expect((await ask(asking, { apikey: `${tenant.apiKey}x` })).status).toBe(401);
    expect((await ask(asking, { authorization: `Bearer ${tenant.apiKey}` })).status).toBe(401);
    expect(await ask(asking, { apikey: tenant.apiKey })).toMatchObject({ status: 200, body: [] });
  });

  it('refuses a suspended account', async () => {
    const other = await moveIn(gateway);
    await gateway.operate('PATCH', `/accounts/${other.accountId}`, { status: 'suspended' });
    const { status, body, headers } = await ask('/evolution/instance/fetchInstances', {
      apikey: other.apiKey,
    });
    expect([status, body.response.message]).toEqual([403, ['account suspended']]);
    expect(headers['x-error-code']).toBe('account_suspended');
  });
});

describe('a compatible interface on a host of its own', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({
      environment: {
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_PUBLIC_URL: 'http://parley.example:8080',
        PARLEY_COMPAT: 'evolution=WA.example:8080,cloud',
      },
    });
  });
  afterAll(() => gateway.close());

  const ask = async (host: string, url: string): Promise<[number, unknown]> => {
    const { apiKey } = await moveIn(gateway);
    const headers = { host, apikey: apiKey, authorization: `Bearer ${apiKey}` };
    const answer = await gateway.request({ method: 'GET', url, headers });
    return [answer.statusCode, answer.body];
  };

  it('needs no prefix there, and keeps its prefix on other hosts', async () => {
    expect(await ask('wa.example:8080', '/instance/fetchInstances?instanceName=')).toEqual([200, '[]']);
    expect(await ask('parley.example:8080', '/evolution/instance/fetchInstances')).toEqual([200, '[]']);
    expect((await ask('parley.example:8080', '/instance/fetchInstances'))[0]).toBe(404);
  });

  it('serves nothing else there, and leaves other hosts unchanged', async () => {
    expect((await ask('wa.example:8080', '/v1/tos'))[0]).toBe(404);
    expect((await ask('wa.example:8080', '/portal'))[0]).toBe(404);
    expect((await ask('wa.example:8080', '/cloud/v23.0/debug_token'))[0]).toBe(404);
    expect((await ask('parley.example:8080', '/v1/tos'))[0]).toBe(200);
  });

  it('is the address that webhook events contain', () => {
    const parts = {
      publicUrl: () => 'https://parley.example',
      served: new Map([['evolution', 'wa.example']]),
    };
    expect(addressOf('evolution', parts)).toBe('https://wa.example');
    expect(addressOf('cloud', parts)).toBe('https://parley.example/cloud');
    expect(addressOf('cloud', { ...parts, publicUrl: () => undefined })).toBeUndefined();
  });

  it.each([
    ['evolution=wa.example', {}, /needs PARLEY_PUBLIC_URL/],
    ['evolution=parley.example', { PARLEY_PUBLIC_URL: 'http://parley.example' }, /host of its own/],
    ['evolution=a.example,cloud=a.example', { PARLEY_PUBLIC_URL: 'http://b.example' }, /host of its own/],
    ['evolution=http://a.example/x', { PARLEY_PUBLIC_URL: 'http://b.example' }, /PARLEY_COMPAT must be/],
    ['evolution=', {}, /PARLEY_COMPAT must be/],
  ])('%s does not start', async (compat, environment, words) => {
    const wrong = startGateway({ environment: { PARLEY_COMPAT: compat, ...environment } });
    await expect(wrong).rejects.toThrow(words);
  });
});
