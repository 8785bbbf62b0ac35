import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseNames, moveIn } from '#testing';
import { ADA, type Client, startClient } from './testing/client.ts';

const NAMES = [
  'Müller & Söhne',
  'Loja São Paulo',
  '50% off?#1 + more',
  '東京の店',
  '👩‍💻 shop',
  ' padded ',
  '...',
  'ü'.repeat(100),
];

const REFUSED = [
  ['nothing but blanks', '   '],
  ['a line break', 'shop\nX-Other: 1'],
  ['a tab', 'a\tb'],
  ['NUL', 'a\0b'],
  ['DEL', 'a\x7fb'],
  ['a C1 control character', 'a\u0085b'],
  ['a line separator', 'a\u2028b'],
  ['a direction override', 'shop\u202egpj'],
  ['an isolate', 'a\u2066b'],
  ['half a character', 'a\ud83db'],
  ['a slash', 'a/b'],
  ['a backslash', 'a\\b'],
  ['the folder itself', '.'],
  ['the folder above', '..'],
  ['101 characters', 'x'.repeat(101)],
] as const;

describe.each(databaseNames)('the name of an instance (%s)', (database) => {
  let client: Client;
  let { ask, phones, hooksOf, hookUrl, tenant, gateway } = {} as Client;

  beforeAll(async () => {
    client = await startClient(database);
    ({ ask, phones, hooksOf, hookUrl, tenant, gateway } = client);
  });
  afterAll(() => client.close());

  it.each(NAMES)('may be %j, in every path', async (name) => {
    const { apiKey, slotId } = await moveIn(gateway);
    const made = await ask('POST', '/instance/create', { instanceName: name }, apiKey);
    expect([made.status, made.body.instance?.instanceName]).toEqual([201, name]);
    const place = encodeURIComponent(name);
    const get = (path: string) => ask('GET', path, undefined, apiKey);
    expect((await get(`/instance/connectionState/${place}`)).body.instance.instanceName).toBe(name);
    expect((await get(`/instance/fetchInstances?instanceName=${place}`)).body).toMatchObject([
      { id: slotId, name },
    ]);
    const settings = { groupsIgnore: true };
    expect((await ask('POST', `/settings/set/${place}`, settings, apiKey)).body.settings).toMatchObject({
      instanceName: name,
      settings,
    });
    const webhook = { url: hookUrl, byEvents: true };
    expect((await ask('POST', `/webhook/set/${place}`, { webhook }, apiKey)).status).toBe(201);
    expect((await get(`/webhook/find/${place}`)).body).toMatchObject({ url: hookUrl, enabled: true });
    expect((await ask('DELETE', `/instance/delete/${place}`, undefined, apiKey)).status).toBe(200);
  });

  it('reaches receivers in the header and the body of events', async () => {
    const name = 'Müller & Söhne';
    const place = encodeURIComponent(name);
    const webhook = { url: hookUrl, byEvents: true, events: ['MESSAGES_UPSERT'] };
    const made = await ask('POST', '/instance/create', { instanceName: name, qrcode: true, webhook });
    await phones('POST', `/${tenant.phone}/scan`, { qr: made.body.qrcode.code });
    const state = async () => (await ask('GET', `/instance/connectionState/${place}`)).body.instance.state;
    await vi.waitFor(async () => expect(await state()).toBe('open'));
    const text = { number: ADA, text: 'Grüße' };
    expect((await ask('POST', `/message/sendText/${place}`, text)).status).toBe(201);
    await phones('POST', `/${ADA}/messages`, { to: tenant.phone, text: 'Hallo' });
    await vi.waitFor(() => expect(hooksOf('messages.upsert')).toHaveLength(1));
    const [{ url, headers, body } = {}] = hooksOf('messages.upsert');
    expect(url).toBe('/hook/messages-upsert');
    expect(decodeURIComponent(String(headers?.['x-instance-name']))).toBe(name);
    expect(body?.instance).toBe(name);
  });

  it.each(REFUSED)('may not have %s', async (_what, name) => {
    const { apiKey } = await moveIn(gateway);
    const refused = await ask('POST', '/instance/create', { instanceName: name }, apiKey);
    expect([refused.status, refused.body.error]).toEqual([400, 'Bad Request']);
    expect((await ask('GET', '/instance/fetchInstances', undefined, apiKey)).body).toEqual([]);
  });

  it('that does not exist is refused in every spelling', async () => {
    for (const place of ['%2e%2e', '%00', '%E0%A4%A', `${'x'.repeat(600)}`, 'a%2Fb', '%0a']) {
      const { status, body } = await ask('GET', `/instance/connectionState/${place}`);
      expect([status >= 400 && status < 500, body.status], place).toEqual([true, status]);
    }
  });
});
