import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someone } from '../numbers.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { type CloudReceiver, type Stage, startCloudReceiver, takeStage } from './stage.ts';

const gateway = sharedGateway();
let stage: Stage;
let other: Stage;
let receiver: CloudReceiver;

beforeAll(async () => {
  [stage, other, receiver] = await Promise.all([
    takeStage(gateway),
    takeStage(gateway),
    startCloudReceiver(),
  ]);
});
afterAll(() => receiver.close());

const text = (body: string) => ({
  messaging_product: 'whatsapp',
  to: stage.ada.phone,
  type: 'text',
  text: { body },
});

describe('the Cloud API', () => {
  test('refuses in the form of the Graph API', async () => {
    const stranger = await fetch(`${stage.baseUrl}/v23.0/${stage.phoneNumberId}`, {
      headers: { Authorization: 'Bearer unknown' },
    });
    expect([stranger.status, await stranger.json()]).toMatchObject([
      401,
      { error: { code: 190, type: 'OAuthException' } },
    ]);
    expect(
      await stage.ask('POST', `/${stage.phoneNumberId}/messages`, { ...text('x'), text: {} }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: 100, fbtrace_id: expect.stringMatching(/./) } },
    });
    expect(await stage.ask('GET', '/nowhere/at/all')).toMatchObject({
      status: 400,
      body: { error: { code: 2500 } },
    });
  });

  test('refuses access to foreign objects', async () => {
    const missing = { status: 400, body: { error: { code: 100, error_subcode: 33 } } };
    expect(await other.ask('GET', `/${stage.phoneNumberId}`)).toMatchObject(missing);
    expect(await other.ask('POST', `/${stage.phoneNumberId}/messages`, text('Mine?'))).toMatchObject(missing);
    expect(await other.ask('GET', `/${stage.wabaId}/phone_numbers`)).toMatchObject(missing);
    expect(await other.ask('GET', `/${stage.wabaId}/message_templates`)).toMatchObject(missing);
  });

  test('accepts the token as a parameter too, and describes it', async () => {
    const listed = await fetch(
      `${stage.baseUrl}/v14.0/${stage.wabaId}/message_templates?access_token=${stage.token}`,
    );
    expect([listed.status, await listed.json()]).toEqual([200, { data: [], paging: {} }]);
    expect(await stage.ask('GET', '/debug_token?input_token=another')).toMatchObject({
      body: { data: { is_valid: false } },
    });
  });

  test('registers a callback only after its verification', async () => {
    const { url: override_callback_uri, verifyToken } = receiver;
    const set = (verify_token: string) =>
      stage.ask('POST', `/${stage.phoneNumberId}`, {
        webhook_configuration: { override_callback_uri, verify_token },
      });
    expect(await set('wrong')).toMatchObject({ status: 400, body: { error: { code: 2200 } } });
    expect((await stage.ask('GET', `/${stage.phoneNumberId}`)).body).not.toHaveProperty(
      'webhook_configuration',
    );
    expect(await set(verifyToken)).toMatchObject({
      status: 200,
      body: { success: true, app_secret: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(await stage.ask('GET', `/${stage.phoneNumberId}`)).toMatchObject({
      body: { webhook_configuration: { phone_number: override_callback_uri }, status: 'CONNECTED' },
    });
  });

  test('reports a failed message with a code of the Graph API', async () => {
    const unreachable = { ...text('Hello?'), to: '15559999999' };
    const sent = await stage.ask<{ messages: [{ id: string }] }>(
      'POST',
      `/${stage.phoneNumberId}/messages`,
      unreachable,
    );
    const { value } = await receiver.status(sent.body.messages[0].id, 'failed');
    expect(value.statuses?.[0]).toMatchObject({ recipient_id: '15559999999', errors: [{ code: 131026 }] });
  });

  test('sends a message once per idempotency key of its client', async () => {
    const message = { ...text('Once'), biz_opaque_callback_data: 'order-1042' };
    const answers = [];
    for (let turn = 0; turn < 2; turn++)
      answers.push(
        await stage.ask<{ messages: [{ id: string }] }>('POST', `/${stage.phoneNumberId}/messages`, message),
      );
    const [first, second] = answers;
    expect(first?.status).toBe(200);
    expect(second?.body.messages[0].id).toBe(first?.body.messages[0].id);
  });

  test('accepts the ids that a number had before its migration', async () => {
    const ids = { phone_number_id: '106540352242922', whatsapp_business_account_id: '102290129340398' };
    expect((await stage.ask('POST', `/${stage.phoneNumberId}`, ids)).status).toBe(200);
    expect((await stage.ask('POST', '/106540352242922/messages', text('Moved'))).status).toBe(200);
    await stage.seen('text', { text: 'Moved' });
    expect(await stage.ask('GET', '/102290129340398/phone_numbers')).toMatchObject({
      body: { data: [{ id: '106540352242922', display_phone_number: `+${stage.me.phone}` }] },
    });
    await stage.says({ text: 'Where to?' });
    const { body } = await receiver.message('text');
    expect(JSON.parse(body)).toMatchObject({
      entry: [
        { id: '102290129340398', changes: [{ value: { metadata: { phone_number_id: '106540352242922' } } }] },
      ],
    });
    expect((await stage.ask('POST', `/${stage.phoneNumberId}`, { phone_number_id: 'x' })).status).toBe(400);
  });

  test('blocks, lists and unblocks people', async () => {
    const { phone } = await someone(gateway, { name: 'Ben' });
    const block_users = [{ user: `+${phone}` }];
    const path = `/${other.phoneNumberId}/block_users`;
    const body = { messaging_product: 'whatsapp', block_users };
    expect(await other.ask('POST', path, body)).toMatchObject({
      body: { block_users: { added_users: [{ input: `+${phone}`, wa_id: phone }] } },
    });
    expect((await other.ask<{ data: object[] }>('GET', path)).body.data).toHaveLength(1);
    await other.ask('DELETE', path, body);
    expect((await other.ask<{ data: object[] }>('GET', path)).body.data).toEqual([]);
  });

  test('registers a linked number, and unlinks it', async () => {
    const pin = { messaging_product: 'whatsapp', pin: '123456' };
    expect(await other.ask('POST', `/${other.phoneNumberId}/register`, pin)).toMatchObject({
      body: { success: true },
    });
    expect(await other.ask('POST', `/${other.phoneNumberId}/deregister`)).toMatchObject({
      body: { success: true },
    });
    expect(await other.ask('POST', `/${other.phoneNumberId}/register`, pin)).toMatchObject({
      status: 400,
      body: { error: { code: 133010 } },
    });
  });
});
