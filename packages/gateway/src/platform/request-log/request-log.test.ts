import { type ApiKeyCreated, type ApiRequest, REQUEST_LOG_DAYS } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSteppedClock, createSystemClock } from '#kernel';
import { type Owner, openBrowser, register, signIn } from '#surfaces/portal/testing';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { createRequestLog } from './request-log.ts';

const PATIENCE = { timeout: 10_000, interval: 20 };

describe('the log of requests', () => {
  let gateway: TestGateway;
  let ada: Owner;
  let key: ApiKeyCreated;

  beforeAll(async () => {
    gateway = await startGateway({
      environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution,cloud' },
      clock: createSystemClock(),
    });
    ada = await signIn(gateway);
    await register(ada);
    key = await ada.browser.post<ApiKeyCreated>('/api-keys', { name: 'Till', permissions: ['messages'] });
  });
  afterAll(() => gateway.close());

  const list = async (query = '', { browser } = ada) =>
    (await browser.get<{ requests: ApiRequest[] }>(`/requests?${query}`)).requests;

  it('shows the requests of a key, with status and duration, and nothing of their content', async () => {
    const ask = (method: 'GET' | 'POST', url: string, body?: object) =>
      gateway.request({ method, url, key: key.api_key, ...(body && { body }) });
    await ask('GET', '/v1/webhooks?secret=in-the-query');
    await ask('POST', '/v1/messages', { session_id: 'unknown', to: '15550002001', text: 'a secret text' });
    await expect.poll(() => list(), PATIENCE).toHaveLength(2);
    const found = await list();
    expect(found).toMatchObject([
      { method: 'POST', path: '/v1/messages', key_id: key.key_id, error: expect.any(String) },
      {
        method: 'GET',
        path: '/v1/webhooks',
        status: 403,
        error: 'api key lacks permission webhooks',
        request_id: expect.any(String),
      },
    ]);
    const rows = await gateway.app.store.read.selectFrom('api_requests').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret/);
    expect(await list('search=LACKS')).toHaveLength(1);
    expect(await list('outcome=taken')).toEqual([]);
    expect(await list(`key_id=${key.key_id}&outcome=refused&limit=1&before=${found[0]?.id}`)).toMatchObject([
      { status: 403 },
    ]);
    const eve = await signIn(gateway);
    expect(await list('', eve)).toEqual([]);
    expect((await openBrowser(gateway).ask('GET', '/requests')).statusCode).toBe(401);
  });

  it('has requests of every surface, with the text of their errors', async () => {
    const till = await ada.browser.post<ApiKeyCreated>('/api-keys', { name: 'Elsewhere' });
    const ask = (url: string, shown: { headers: Record<string, string> } | { key: string }) =>
      gateway.request({ method: 'GET', url, ...shown });
    const apikey = { headers: { apikey: till.api_key } };
    await ask('/evolution/instance/fetchInstances?instanceName=in-the-query', apikey);
    await ask('/evolution/instance/connectionState/none', apikey);
    await ask(`/cloud/v21.0/12345?access_token=${till.api_key}`, { headers: {} });
    const message = { messaging_product: 'whatsapp', to: 'in-the-body', type: 'text', text: { body: 'Hi' } };
    const url = '/cloud/v21.0/12345/messages';
    await gateway.request({ method: 'POST', url, key: till.api_key, body: message });
    await expect
      .poll(() => list(`key_id=${till.key_id}`), PATIENCE)
      .toMatchObject([
        { method: 'POST', path: url, status: 400, error: expect.stringContaining('(#100)') },
        { path: '/cloud/v21.0/12345', status: 400, error: expect.stringContaining('does not exist') },
        {
          path: '/evolution/instance/connectionState/none',
          status: 404,
          error: 'The "none" instance does not exist',
        },
        { path: '/evolution/instance/fetchInstances', status: 200, error: null },
      ]);
    const rows = await gateway.app.store.read.selectFrom('api_requests').selectAll().execute();
    for (const secret of ['in-the-', till.api_key]) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  /** A log with its own clock, and its entries of one key. */
  function logOf(keyId: string) {
    const { store } = gateway.app;
    const clock = createSteppedClock();
    const log = createRequestLog({
      ...{ store, clock, machineClock: clock },
      log: { debug() {}, error: (details) => expect(details).toBeUndefined() },
    });
    const note = (status: number) =>
      log.note({
        ...{ accountId: ada.accountId, keyId, method: 'GET', path: '/v1/sessions' },
        ...{ status, seconds: 0.001, requestId: 'req_1' },
      });
    const kept = async () => {
      const rows = store.read.selectFrom('api_requests').select('status').where('key_id', '=', keyId);
      return (await rows.orderBy('seq').execute()).map(({ status }) => status);
    };
    return { clock, note, kept, stop: () => log.stop() };
  }

  it('records a sample of a flood, with refused requests first', async () => {
    const log = logOf('flood');
    for (let each = 0; each < 500; each++) log.note(200);
    log.note(429);
    await log.stop();
    const kept = await log.kept();
    expect(kept).toHaveLength(101);
    expect(kept.at(-1)).toBe(429);
  });

  it('keeps entries for seven days', async () => {
    const log = logOf('old');
    log.note(200);
    log.clock.advance(1_000);
    await vi.waitFor(async () => expect(await log.kept()).toEqual([200]));
    log.clock.advance(REQUEST_LOG_DAYS * 86_400_000 + 1);
    await vi.waitFor(async () => expect(await log.kept()).toEqual([]));
    log.note(404);
    await log.stop();
    expect(await log.kept()).toEqual([404]);
  });
});
