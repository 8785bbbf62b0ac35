import type { ApiKey, AuditLog } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { moveIn } from '#testing';
import { ADA, type Client, startClient } from '../testing/client.ts';

/** Past the lifetime of a cached authentication. */
const JUST_OVER_A_SECOND = 1_001;

describe('the token of an instance', () => {
  let client: Client;
  let { ask, phones, hooksOf, hookUrl, tenant, gateway } = {} as Client;

  beforeAll(async () => {
    client = await startClient();
    ({ ask, phones, hooksOf, hookUrl, tenant, gateway } = client);
  });
  afterAll(() => client.close());

  it('is created with its whole instance or not at all, and expires with the key', async () => {
    const keys = async () =>
      (await gateway.operate<{ api_keys: ApiKey[] }>('GET', `/accounts/${tenant.accountId}/api-keys`))
        .api_keys;
    const before = (await keys()).length;
    const create = (more: object, key?: string) =>
      ask('POST', '/instance/create', { instanceName: 'new', ...more }, key);
    expect((await create({ webhook: { url: 'nowhere' } })).status).toBe(400);
    const expires_at = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const short = await tenant.makeKey({ permissions: ['sessions'], expires_at });
    expect((await create({ webhook: { url: hookUrl } }, short)).status).toBe(403);
    expect((await ask('GET', '/instance/fetchInstances')).body).toEqual([]);
    expect(await keys()).toHaveLength(before + 1);
    expect((await create({}, short)).status).toBe(201);
    expect((await keys()).find(({ name }) => name === 'evolution new')).toMatchObject({
      phone: tenant.phone,
      permissions: ['sessions'],
      expires_at,
    });
    expect((await ask('DELETE', '/instance/delete/new')).status).toBe(200);
  });

  it('is shown only to keys with at least its rights', async () => {
    const made = await ask('POST', '/instance/create', { instanceName: 'shop', qrcode: true });
    await phones('POST', `/${tenant.phone}/scan`, { qr: made.body.qrcode.code });
    const state = async () => (await ask('GET', '/instance/connectionState/shop')).body.instance.state;
    await vi.waitFor(async () => expect(await state()).toBe('open'));
    const seeing = await tenant.makeKey({ permissions: ['sessions'] });
    const [shown] = (await ask('GET', '/instance/fetchInstances', undefined, seeing)).body;
    expect(shown).toMatchObject({ name: 'shop', token: null });
    const hooking = await tenant.makeKey({ permissions: ['webhooks'] });
    const webhook = { enabled: true, url: hookUrl, events: ['MESSAGES_UPSERT'] };
    expect((await ask('POST', '/webhook/set/shop', { webhook }, hooking)).status).toBe(201);
    await phones('POST', `/${ADA}/messages`, { to: tenant.phone, text: 'Who listens?' });
    await vi.waitFor(() => expect(hooksOf('messages.upsert')[0]?.body.apikey).toBeNull());
    expect((await ask('POST', '/settings/set/shop', { groupsIgnore: false }, hooking)).status).toBe(403);
    const framed = { ...webhook, headers: { Host: 'inside.example' } };
    expect((await ask('POST', '/webhook/set/shop', { webhook: framed })).status).toBe(400);
  });

  it('is invalid once the key that created it is revoked', async () => {
    const maker = await newTenant();
    const { token, state } = await maker.create();
    expect((await state(token)).status).toBe(200);
    await maker.revoke();
    gateway.clock.advance(JUST_OVER_A_SECOND);
    expect((await state(token)).status).toBe(401);
    expect((await state()).status).toBe(200);
  });

  it('is audited under the key that creates it, and its end under the key that deletes the instance', async () => {
    const { accountId, keyId, create, remove, keys } = await newTenant();
    const { token } = await create();
    const tokenId = (await keys()).find(({ prefix }) => token.startsWith(`${prefix}_`))?.key_id ?? '';
    expect((await remove(token)).status).toBe(200);
    const left = (await keys()).map(({ key_id }) => key_id);
    expect([left.length, left.includes(keyId), left.includes(tokenId)]).toEqual([2, true, false]);
    const { entries } = await gateway.operate<AuditLog>('GET', `/audit?account_id=${accountId}`);
    const recorded = entries.map(({ actor, action, subject }) => [actor, action, subject]);
    expect(recorded).toEqual(
      expect.arrayContaining([
        [`key:${keyId}`, 'api_key.created', tokenId],
        [`key:${tokenId}`, 'api_key.revoked', tokenId],
      ]),
    );
    expect(entries.map(({ actor }) => actor)).not.toContain('system');
  });

  /** A tenant whose first key creates an instance, and whose second key continues with it. */
  async function newTenant() {
    const made = await moveIn(gateway);
    const second = await made.makeKey();
    const path = `/accounts/${made.accountId}/api-keys`;
    return {
      ...made,
      create: async () => {
        const { body } = await ask('POST', '/instance/create', { instanceName: 'own' }, made.apiKey);
        const token: string = body.hash;
        return {
          token,
          state: (key = second) => ask('GET', '/instance/connectionState/own', undefined, key),
        };
      },
      remove: (key: string) => ask('DELETE', '/instance/delete/own', undefined, key),
      revoke: () => gateway.operate('DELETE', `${path}/${made.keyId}`),
      keys: async () => (await gateway.operate<{ api_keys: ApiKey[] }>('GET', path)).api_keys,
    };
  }
});
