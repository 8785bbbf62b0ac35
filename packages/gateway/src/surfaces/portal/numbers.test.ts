import type { ApiKeyCreated, Device, PortalNumber } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#testing';
import { expectRefusal } from './testing/browser.ts';
import { newPhone, type Owner, register, signIn } from './testing/owners.ts';

const MONTH_MS = 31 * 86_400_000;

describe('an owner in the portal', () => {
  let gateway: TestGateway;
  let ada: Owner;

  beforeAll(async () => {
    gateway = await startGateway();
    ada = await signIn(gateway);
  });
  afterAll(() => gateway.close());

  const auditOf = async ({ accountId }: Owner) =>
    (await gateway.operate<{ entries: object[] }>('GET', `/audit?account_id=${accountId}`)).entries;

  it('registers numbers, and sees the state of each', async () => {
    const phone = newPhone();
    const number = await register(ada, 'pro', phone);
    expect(number).toMatchObject({
      phone,
      plan: 'pro',
      status: 'active',
      quota: 10_000,
      used: 0,
      session: null,
      sending: {
        per_minute: 20,
        remaining: 5,
        reset_seconds: 0,
        consecutive: 0,
        paused_until_unix: null,
        queued: 0,
      },
    });
    expect(await ada.browser.get(`/numbers/${phone}`)).toEqual(number);
    expect(await ada.browser.get('/numbers')).toEqual({ numbers: [number], next_cursor: null });
    expect((await auditOf(ada))[0]).toMatchObject({
      action: 'device.registered',
      actor: expect.stringMatching(/^member:mem_/),
      subject: number.slot_id,
    });
    const again = await ada.browser.ask('POST', '/numbers', { phone, plan: 'pro' });
    expectRefusal(again, 'phone_taken');
  });

  it('chooses among the public plans; only the operator grants and changes others', async () => {
    const owner = await signIn(gateway);
    const { phone } = await register(owner, 'free');
    const second = await owner.browser.ask('POST', '/numbers', { phone: newPhone(), plan: 'free' });
    expectRefusal(second, 'free_plan_holds_one_number');
    const change = (plan: string) => owner.browser.ask('PUT', `/numbers/${phone}/plan`, { plan });
    const changed = await change('max');
    expect(changed.json()).toMatchObject({ plan: 'max', quota: 50_000, sending: { per_minute: 30 } });
    expect((await change('partner')).statusCode).toBe(400);
    expect(
      (await owner.browser.ask('POST', '/numbers', { phone: newPhone(), plan: 'partner' })).statusCode,
    ).toBe(400);

    await gateway.operate('PATCH', `/accounts/${owner.accountId}`, {
      partner_limits: { per_minute: 77, per_period: 900_000 },
    });
    const { slot_id } = changed.json<PortalNumber>();
    await gateway.operate<Device>('PATCH', `/devices/${slot_id}`, { plan: 'partner' });
    expectRefusal(await change('pro'), 'plan_by_operator');
    expect(await owner.browser.get(`/numbers/${phone}`)).toMatchObject({
      plan: 'partner',
      quota: 900_000,
      sending: { per_minute: 77 },
    });
  });

  it('chooses whether a number appears online once it is linked', async () => {
    const { phone } = await register(ada);
    const choose = (policy: string) =>
      ada.browser.ask('PUT', `/numbers/${phone}/presence-policy`, { policy });
    expectRefusal(await choose('available'), 'session_not_found');
    expect((await choose('invisible')).statusCode).toBe(400);
  });

  it('reads the invoices of a number, newest first', async () => {
    const owner = await signIn(gateway);
    const { phone } = await register(owner);
    await register(owner);
    gateway.clock.advance(2 * MONTH_MS);
    await gateway.operate('POST', '/invoices/run', {});
    const { invoices } = await owner.browser.get<{ invoices: { phone: string; period_start: string }[] }>(
      `/numbers/${phone}/invoices`,
    );
    expect(invoices.length).toBeGreaterThanOrEqual(1);
    expect(new Set(invoices.map((invoice) => invoice.phone))).toEqual(new Set([phone]));
    const starts = invoices.map(({ period_start }) => period_start);
    expect(starts).toEqual(starts.toSorted().reverse());
  });

  it('creates API keys that are shown once, sees their last use, and revokes them', async () => {
    const owner = await signIn(gateway);
    const { phone } = await register(owner);
    const made = await owner.browser.post<ApiKeyCreated>('/api-keys', {
      name: 'server',
      phone,
      permissions: ['messages', 'sessions'],
    });
    const list = () => owner.browser.get<{ api_keys: object[] }>('/api-keys');
    expect(await list()).toMatchObject({
      api_keys: [{ key_id: made.key_id, name: 'server', phone, last_used_at: null }],
    });
    expect(JSON.stringify(await list())).not.toContain(made.api_key);

    const use = () => gateway.request({ method: 'GET', url: '/v1/sessions', key: made.api_key });
    expect((await use()).statusCode).toBe(200);
    gateway.clock.advance(60_000);
    await expect
      .poll(async () => (await list()).api_keys[0])
      .toMatchObject({ last_used_at: expect.any(String) });

    expect((await owner.browser.ask('DELETE', `/api-keys/${made.key_id}`)).statusCode).toBe(204);
    expect(await list()).toMatchObject({
      api_keys: [{ key_id: made.key_id, status: 'revoked', ended_at: expect.any(String) }],
    });
    gateway.clock.advance(1_001);
    expect((await use()).statusCode).toBe(401);
    expect((await auditOf(owner)).slice(0, 2)).toMatchObject([
      { action: 'api_key.revoked', actor: expect.stringMatching(/^member:mem_/) },
      { action: 'api_key.created', actor: expect.stringMatching(/^member:mem_/) },
    ]);
  });

  it('names a number, ends its plan, and begins another: earlier sends still count', async () => {
    const owner = await signIn(gateway);
    const { phone, slot_id } = await register(owner, 'free');
    const path = `/numbers/${phone}`;
    const name = (nickname: string) => owner.browser.ask('PUT', `${path}/nickname`, { nickname });
    expect((await name(' Front desk ')).json()).toMatchObject({ nickname: 'Front desk' });
    expect((await name('x'.repeat(41))).statusCode).toBe(400);
    await gateway.app.store.transaction((trx) =>
      trx.updateTable('device_periods').set({ used: 400 }).where('slot_id', '=', slot_id).execute(),
    );
    const cancel = () => owner.browser.ask('DELETE', `${path}/plan`);
    expect((await cancel()).json()).toMatchObject({
      ...{ status: 'inactive', canceled_at: expect.any(String), period_end: null, session: null },
    });
    expectRefusal(await cancel(), 'device_not_active');
    gateway.clock.advance(86_400_000);
    expect(await owner.browser.get(`${path}/plan/free`)).toMatchObject({ used: 400 });
    const change = (plan: string) => owner.browser.ask('PUT', `${path}/plan`, { plan });
    expect((await change('free')).json()).toMatchObject({
      ...{ status: 'active', canceled_at: null, used: 400, nickname: 'Front desk' },
    });
    // Only the operator restarts a plan that the operator has ended.
    await gateway.operate('PATCH', `/devices/${slot_id}`, { status: 'inactive' });
    expect((await change('pro')).json()).toMatchObject({ status: 'inactive' });
  });

  it('rolls a key: the new one has the same rights, the old one stays valid for the requested time', async () => {
    const owner = await signIn(gateway);
    const { phone } = await register(owner);
    const old = await owner.browser.post<ApiKeyCreated>('/api-keys', {
      ...{ name: 'server', phone, permissions: ['sessions'] },
    });
    const roll = (keyId: string, overlap_hours?: number) =>
      owner.browser.ask('POST', `/api-keys/${keyId}/roll`, { overlap_hours });
    const statusWith = async ({ api_key }: ApiKeyCreated) => {
      gateway.clock.advance(1_001);
      return (await gateway.request({ method: 'GET', url: '/v1/sessions', key: api_key })).statusCode;
    };
    // Keys are ordered by creation, and in random order within one millisecond.
    gateway.clock.advance(1);
    const rolled = (await roll(old.key_id, 2)).json<ApiKeyCreated>();
    expect(rolled).toMatchObject({ name: 'server', phone, permissions: ['sessions'], expires_at: null });
    expect([await statusWith(old), await statusWith(rolled)]).toEqual([200, 200]);
    gateway.clock.advance(2 * 3_600_000);
    expect([await statusWith(old), await statusWith(rolled)]).toEqual([401, 200]);
    expectRefusal(await roll(old.key_id), 'api_key_not_found');
    const next = (await roll(rolled.key_id, 0)).json<ApiKeyCreated>();
    expect([await statusWith(rolled), await statusWith(next)]).toEqual([401, 200]);
    expect(await owner.browser.get('/api-keys')).toMatchObject({
      api_keys: [{ status: 'expired' }, { status: 'revoked' }, { status: 'active', key_id: next.key_id }],
    });
    // A key that expires sooner is not prolonged.
    const soon = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const short = await owner.browser.post<ApiKeyCreated>('/api-keys', { name: 'short', expires_at: soon });
    expect((await roll(short.key_id, 24)).json()).toMatchObject({ expires_at: soon });
    expect((await roll(short.key_id, 999)).statusCode).toBe(400);
    gateway.clock.advance(3_600_000);
    expect(await statusWith(short)).toBe(401);
  });

  it('configures a webhook, tests it, and reads the outcome', async () => {
    const owner = await signIn(gateway);
    const { phone } = await register(owner);
    const url = 'https://app.invalid/hook';
    const { id, secret } = await owner.browser.post<{ id: string; secret: string }>(
      `/numbers/${phone}/webhook`,
      { messages_url: url },
    );
    expect(secret).toMatch(/^whsec_/);
    const listed = await owner.browser.ask('GET', '/webhooks');
    expect(listed.json()).toMatchObject({ webhooks: [{ id, phone, messages_url: url, active: true }] });
    expect(listed.body).not.toContain(secret);
    const rotated = await owner.browser.post<{ secret: string }>(`/webhooks/${id}/rotate-secret`);
    expect(rotated.secret).not.toBe(secret);
    const paused = await owner.browser.ask('PUT', `/webhooks/${id}`, { active: false });
    expect(paused.json()).toMatchObject({ active: false });
    const tried = await owner.browser.ask('POST', `/webhooks/${id}/test`, {});
    expect(tried.statusCode).toBe(202);
    const { deliveries } = await owner.browser.get<{ deliveries: { delivery_id: string }[] }>(
      `/webhooks/${id}/deliveries?status=pending`,
    );
    expect(deliveries).toMatchObject([{ delivery_id: tried.json().delivery_id, status: 'pending', url }]);
    expect(await owner.browser.get(`/webhooks/${id}/stats`)).toMatchObject({
      bucket: 'hour',
      waiting: 1,
      dead: 0,
      total: { delivered: 0, failed: 0, median_ms: null, slowest_ms: null },
    });
    expect((await owner.browser.ask('DELETE', `/webhooks/${id}`)).statusCode).toBe(204);
    expect(await owner.browser.get('/webhooks')).toEqual({ webhooks: [] });
  });
});
