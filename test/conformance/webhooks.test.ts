import { randomBytes } from 'node:crypto';
import type { Delivery, Webhook, WebhookWithSecret } from '@parley/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask } from './ask.ts';
import { type OwnGateway, startGateway } from './gateway.ts';
import { link, type RegisteredNumber, register, someone, WATCHING } from './numbers.ts';
import { type Receiver, startReceiver, verifies } from './receiver.ts';
import { sharedGateway } from './shared-gateway.ts';

const HOOK = 'https://app.example.com/hooks';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const webhookOf = async (number: RegisteredNumber, urls: object) =>
  (await number.call<WebhookWithSecret>('POST', '/webhooks', { session_id: number.jid, ...urls })).body;

describe('managing webhooks', () => {
  const gateway = sharedGateway();
  let number: RegisteredNumber;
  beforeEach(async () => {
    number = await register(gateway);
  });

  test('a number need not be linked; the secret is shown once', async () => {
    const { status, body } = await number.call<WebhookWithSecret>('POST', '/webhooks', {
      session_id: number.jid,
      messages_url: HOOK,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^wh_/),
      phone: number.phone,
      messages_url: HOOK,
      status_url: '',
      connection_url: '',
      events_url: '',
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const { secret: _, ...withoutSecret } = body;
    expect((await number.call('GET', '/webhooks')).body).toEqual({ webhooks: [withoutSecret] });
  });

  test('one webhook per number', { tags: 'anywhere' }, async () => {
    await webhookOf(number, { messages_url: HOOK });
    const again = { session_id: number.jid, status_url: HOOK };
    expect(await number.call('POST', '/webhooks', again)).toMatchObject({
      status: 409,
      body: { error: 'number already has a webhook; use PUT' },
    });
  });

  test('one without a URL is refused, and nothing is registered', { tags: 'anywhere' }, async () => {
    for (const urls of [{}, { messages_url: '', events_url: '' }])
      expect(await number.call('POST', '/webhooks', { session_id: number.jid, ...urls })).toMatchObject({
        status: 400,
        body: { error: 'at least one of messages_url, status_url, connection_url, events_url is required' },
      });
    expect((await number.call('GET', '/webhooks')).body).toEqual({ webhooks: [] });
  });

  test('the result of GET or POST can be PUT back; a change of a fixed field is refused', {
    tags: 'anywhere',
  }, async () => {
    const registered = await webhookOf(number, { messages_url: HOOK });
    const { secret: _, ...shown } = registered;
    const put = (body: object) => number.call<Webhook>('PUT', `/webhooks/${registered.id}`, body);
    for (const body of [shown, registered, { session_id: number.jid, messages_url: HOOK }])
      expect(await put(body)).toMatchObject({ status: 200, body: shown });
    expect(await put({ ...shown, events_url: HOOK })).toMatchObject({ body: { ...shown, events_url: HOOK } });

    for (const change of [
      { id: 'wh_other' },
      { phone: '15550009999' },
      { created_at: '2026-01-01T00:00:00.000Z' },
      { secret: 'whsec_mine' },
      { session_id: '15550009999@s.whatsapp.net' },
    ]) {
      const [field] = Object.keys(change);
      expect(await put({ ...shown, ...change, active: false })).toMatchObject({
        status: 400,
        body: { error: `${field} of a webhook cannot be changed` },
      });
    }
    const after = { webhooks: [{ ...shown, events_url: HOOK }] };
    expect((await number.call('GET', '/webhooks')).body).toEqual(after);
  });

  test('PUT changes the given fields; an empty URL switches a category off', async () => {
    const { id, secret: _, ...before } = await webhookOf(number, { messages_url: HOOK, status_url: HOOK });
    const { status, body } = await number.call<Webhook>('PUT', `/webhooks/${id}`, {
      status_url: '',
      events_url: `${HOOK}/events`,
      active: false,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, id, status_url: '', events_url: `${HOOK}/events`, active: false });
  });

  test('fields beyond the specification are shown only with an extension', { tags: 'anywhere' }, async () => {
    const { id, secret: _, ...plain } = await webhookOf(number, { connection_url: HOOK });
    expect(plain).not.toHaveProperty('extensions');
    const put = (body: object) => number.call<Webhook>('PUT', `/webhooks/${id}`, body);
    const asking = { ...plain, id, extensions: ['health'] };
    expect(await put({ extensions: ['health'] })).toMatchObject({ status: 200, body: asking });
    expect((await number.call('GET', '/webhooks')).body).toEqual({ webhooks: [asking] });
    for (const [extensions, why] of [
      [['telepathy'], /^extensions\[0\] must be /],
      [['health', 'health'], /^extensions must /],
      ['health', /^extensions must /],
    ] as const)
      expect(await put({ extensions })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(why) },
      });
    expect((await put(asking)).body).toEqual(asking);
    expect((await put({ extensions: [] })).body).toEqual({ ...plain, id });
  });

  test('DELETE answers 204 once, and the number can have another one', async () => {
    const { id } = await webhookOf(number, { messages_url: HOOK });
    expect((await number.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await number.call('DELETE', `/webhooks/${id}`)).status).toBe(404);
    expect(
      (await number.call('POST', '/webhooks', { session_id: number.jid, messages_url: HOOK })).status,
    ).toBe(201);
  });

  test('rotating gives a new secret', async () => {
    const { id, secret } = await webhookOf(number, { messages_url: HOOK });
    const { status, body } = await number.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`);
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(secret);
  });

  test.each([
    [{ messages_url: 'ftp://example.com' }],
    [{ messages_url: 'not a url' }],
    [{ messages_url: 'https://user:password@example.com/' }],
    [{ message_url: HOOK }],
    [{ session_id: undefined }],
  ])('%j is 400', { tags: 'anywhere' }, async (body) => {
    const answer = await number.call('POST', '/webhooks', { session_id: number.jid, ...body });
    expect(answer.status).toBe(400);
  });

  test('the webhook of another account or number is out of reach', { tags: 'anywhere' }, async () => {
    const { id } = await webhookOf(number, { messages_url: HOOK });
    const stranger = await register(gateway);
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/dl_1/redeliver'],
    ] as const) {
      const answer = await stranger.call(method, `/webhooks/${id}${path}`, method === 'PUT' ? {} : undefined);
      expect([answer.status, path]).toEqual([404, path]);
    }
    expect(await stranger.call('POST', '/webhooks', { session_id: number.jid })).toMatchObject({
      status: 403,
      body: { error: 'session does not belong to this user' },
    });
    const token = await number.makeKey({ phone: '15550009999' }).catch(() => undefined);
    if (token) {
      const list = await ask<{ webhooks: [] }>(gateway.url, { method: 'GET', path: '/v1/webhooks', token });
      expect(list.body.webhooks).toEqual([]);
    }
  });

  test('a key needs the permission', { tags: 'anywhere' }, async () => {
    const token = await number.makeKey({ permissions: ['messages'] });
    expect(await ask(gateway.url, { method: 'GET', path: '/v1/webhooks', token })).toMatchObject({
      status: 403,
      body: { error: 'api key lacks permission webhooks' },
    });
  });

  test('a test delivers a signed sample to the requested category', async () => {
    const { id, secret } = await webhookOf(number, {
      messages_url: `${receiver.url}/m`,
      connection_url: `${receiver.url}/c`,
    });
    const { status, body } = await number.call<{ delivery_id: string }>('POST', `/webhooks/${id}/test`, {
      category: 'connection',
    });
    expect(status).toBe(202);
    const sample = await receiver.next('connection', ({ session_id }) => session_id === number.jid);
    expect(sample.path).toBe('/c');
    expect(await verifies(sample, secret, Date.now() / 1_000)).toBe(true);
    await vi.waitFor(async () => {
      const log = await number.call<{ deliveries: Delivery[] }>('GET', `/webhooks/${id}/deliveries`);
      expect(log.body.deliveries).toMatchObject([{ delivery_id: body.delivery_id, status: 'delivered' }]);
    }, WATCHING);
    expect((await number.call('POST', `/webhooks/${id}/test`, { category: 'events' })).status).toBe(409);
  });

  test('redirects are failures and are not followed', { tags: 'anywhere' }, async () => {
    receiver.answer = ({ path }) => (path === '/moved' ? 302 : 200);
    const { id } = await webhookOf(number, { messages_url: `${receiver.url}/moved` });
    await number.call('POST', `/webhooks/${id}/test`);
    await vi.waitFor(async () => {
      const log = await number.call<{ deliveries: Delivery[] }>('GET', `/webhooks/${id}/deliveries`);
      expect(log.body.deliveries).toMatchObject([{ status: 'pending', attempts: [{ status_code: 302 }] }]);
    }, WATCHING);
    expect(receiver.deliveries.map(({ path }) => path)).not.toContain('/elsewhere');
  });
});

describe('a receiver that fails', () => {
  let gateway: OwnGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  test('gets four attempts in all, through a restart; then the delivery is dead, and can be sent again', async () => {
    const { phone } = await someone(gateway, { name: 'Parley' });
    const number = await link(await register(gateway, 'max', phone));
    const ada = await someone(gateway);
    const failing = await startReceiver();
    failing.answer = () => 503;
    const { id, secret } = await webhookOf(number, { messages_url: failing.url });
    const { message_id } = await gateway.sandbox<{ message_id: string }>(
      'POST',
      `/phones/${ada.phone}/messages`,
      { to: phone, text: 'Hello 👋' },
    );
    const log = async (query = ''): Promise<Delivery[]> =>
      (
        await ask<{ deliveries: Delivery[] }>(gateway.url, {
          method: 'GET',
          path: `/v1/webhooks/${id}/deliveries${query}`,
          token: number.apiKey,
        })
      ).body.deliveries;
    const attempts = (count: number) =>
      vi.waitFor(async () => {
        expect(failing.deliveries).toHaveLength(count);
        expect((await log())[0]?.attempts).toHaveLength(count);
      }, WATCHING);
    const travel = (advance_seconds: number) => gateway.sandbox('POST', '/clock', { advance_seconds });

    await attempts(1);
    const [pending] = await log('?status=pending&kind=message');
    expect(pending).toMatchObject({
      kind: 'message',
      url: failing.url,
      attempts: [{ status_code: 503, duration_ms: expect.any(Number) }],
      event: { message_id, text: '[redacted: 10 bytes]' },
    });
    const wait = (pending?.next_attempt_at_unix ?? 0) - (pending?.attempts[0]?.at_unix ?? 0);
    expect(wait).toBeGreaterThanOrEqual(26);
    expect(wait).toBeLessThanOrEqual(34);

    await travel(34);
    await attempts(2);
    await travel(331);
    await attempts(3);
    await gateway.restart();
    await travel(1_981 + 365);
    await attempts(4);
    await vi.waitFor(async () => expect(await log('?status=dead')).toHaveLength(1), WATCHING);
    expect(new Set(failing.deliveries.map(({ headers }) => headers['x-message-id']))).toEqual(
      new Set([message_id]),
    );
    expect(new Set(failing.deliveries.map(({ body }) => body)).size).toBe(1);

    failing.answer = () => 200;
    const [dead] = await log();
    const again = await ask(gateway.url, {
      method: 'POST',
      path: `/v1/webhooks/${id}/deliveries/${dead?.delivery_id}/redeliver`,
      token: number.apiKey,
    });
    expect(again).toMatchObject({ status: 202, body: { delivery_id: dead?.delivery_id, status: 'pending' } });
    await vi.waitFor(async () => expect(await log('?status=delivered')).toHaveLength(1), WATCHING);
    const last = failing.deliveries.at(-1);
    expect(last && JSON.parse(last.body)).toMatchObject({ text: 'Hello 👋' });
    // The clock was moved by more than half an hour: a receiver compares with its own clock.
    const { now_unix } = await gateway.sandbox<{ now_unix: number }>('GET', '/clock');
    expect(now_unix - Date.now() / 1_000).toBeGreaterThan(1_800);
    expect(last && (await verifies(last, secret, Date.now() / 1_000))).toBe(true);
    expect(last && (await verifies(last, secret, now_unix))).toBe(false);
    failing.close();
  });
});

describe('in production', { tags: 'anywhere' }, () => {
  let gateway: OwnGateway;
  let number: RegisteredNumber;
  beforeAll(async () => {
    gateway = await startGateway({
      PARLEY_MODE: 'production',
      PARLEY_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    number = await register(gateway);
  });
  afterAll(() => gateway.stop());

  test.each(['messages_url', 'status_url', 'connection_url', 'events_url'])(
    '%s must be https',
    async (field) => {
      const body = { session_id: number.jid, [field]: 'http://example.com/hook' };
      expect(await number.call('POST', '/webhooks', body)).toMatchObject({
        status: 400,
        body: { error: `${field} must be an https url` },
      });
    },
  );

  test.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://metadata.google.internal/',
  ])('%s is private', async (messages_url) => {
    expect(await number.call('POST', '/webhooks', { session_id: number.jid, messages_url })).toMatchObject({
      status: 400,
      body: { error: 'messages_url must not point to a private address' },
    });
  });

  test('https to a public name is accepted, and cannot be changed to http', async () => {
    const { id } = await webhookOf(number, { messages_url: HOOK });
    expect(id).toMatch(/^wh_/);
    expect((await number.call('PUT', `/webhooks/${id}`, { status_url: 'http://example.com/' })).status).toBe(
      400,
    );
  });
});
