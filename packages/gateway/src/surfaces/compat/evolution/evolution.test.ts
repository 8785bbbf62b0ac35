import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { moveIn } from '#testing';
import { ADA, type Client, startClient } from './testing/client.ts';

/** Keys of the original's message object. */
const MESSAGE_KEYS = [
  'contextInfo',
  'instanceId',
  'key',
  'message',
  'messageTimestamp',
  'messageType',
  'pushName',
  'source',
  'status',
];

describe('the Evolution interface', () => {
  let client: Client;
  let { ask, phones, hooksOf, hookUrl, tenant, gateway } = {} as Client;

  beforeAll(async () => {
    client = await startClient();
    ({ ask, phones, hooksOf, hookUrl, tenant, gateway } = client);
  });
  afterAll(() => client.close());
  let token = '';

  // Beyond the minute that sends are counted in.
  beforeEach(() => gateway.clock.advance(61_000));

  const seenBy = async (phone: string) => (await phones('GET', `/${phone}/messages`)).messages;

  it('links an instance from create to open, and reports it to the webhook', async () => {
    const made = await ask('POST', '/instance/create', {
      instanceName: 'shop',
      integration: 'WHATSAPP-BAILEYS',
      qrcode: true,
      rejectCall: false,
      webhook: { url: hookUrl, byEvents: true, headers: { 'x-own': 'mine', jwt_key: 'k' } },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        instance: { instanceName: 'shop', integration: 'WHATSAPP-BAILEYS', status: 'connecting' },
        hash: expect.stringMatching(/^pk_/),
        webhook: { webhookUrl: hookUrl, webhookByEvents: true, webhookBase64: false },
        qrcode: { pairingCode: null, base64: expect.stringMatching(/^data:image\/png;base64,/), count: 1 },
      },
    });
    expect(Object.keys(made.body).sort()).toEqual(
      ['hash', 'instance', 'nats', 'qrcode', 'rabbitmq', 'settings', 'sqs', 'webhook', 'websocket'].sort(),
    );
    token = made.body.hash;
    await phones('POST', `/${tenant.phone}/scan`, { qr: made.body.qrcode.code });
    await vi.waitFor(async () =>
      expect((await ask('GET', '/instance/connectionState/shop')).body).toEqual({
        instance: { instanceName: 'shop', state: 'open' },
      }),
    );
    await vi.waitFor(() => {
      expect(hooksOf('qrcode.updated')[0]?.url).toBe('/hook/qrcode-updated');
      expect(hooksOf('connection.update').map(({ body }) => body.data)).toContainEqual(
        expect.objectContaining({ instance: 'shop', state: 'open', statusReason: 200 }),
      );
    });
    const { headers, body } = hooksOf('connection.update')[0] ?? {};
    expect(headers).toMatchObject({
      'x-own': 'mine',
      'x-instance-name': 'shop',
      'x-event-type': 'connection.update',
    });
    expect(headers).not.toHaveProperty('jwt_key');
    const [, claims = ''] = /^Bearer [\w-]+\.([\w-]+)\.[\w-]+$/.exec(String(headers?.authorization)) ?? [];
    const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    // Signed by the machine's clock, as the receiver checks it; the body has the sandbox's clock.
    expect(Math.abs(iat - Date.now() / 1_000)).toBeLessThan(60);
    expect(exp - iat).toBe(600);
    expect(Math.abs(Date.parse(String(body?.date_time)) - gateway.clock.now())).toBeLessThan(300_000);
    expect(body).toMatchObject({ instance: 'shop', destination: hookUrl, apikey: token, server_url: null });
  });

  it('shows the instance, to its own key too, and accepts each name once', async () => {
    const { body } = await ask('GET', '/instance/fetchInstances', undefined, token);
    expect(body).toMatchObject([{ name: 'shop', connectionStatus: 'open', number: tenant.phone, token }]);
    expect(await ask('POST', '/instance/create', { instanceName: 'shop', number: tenant.phone })).toEqual({
      status: 403,
      body: {
        status: 403,
        error: 'Forbidden',
        response: { message: ['This name "shop" is already in use.'] },
      },
    });
    expect(await ask('GET', '/instance/connectionState/missing')).toEqual({
      status: 404,
      body: {
        status: 404,
        error: 'Not Found',
        response: { message: ['The "missing" instance does not exist'] },
      },
    });
    const stranger = await moveIn(gateway);
    expect((await ask('GET', '/instance/connectionState/shop', undefined, stranger.apiKey)).status).toBe(404);
  });

  it('sends a text, answers with the message once the network has it, and reports it to the webhook', async () => {
    const { status, body } = await ask(
      'POST',
      '/message/sendText/shop',
      { number: `+${ADA}`, text: 'Hello' },
      token,
    );
    expect([status, Object.keys(body).sort()]).toEqual([201, MESSAGE_KEYS]);
    expect(body).toMatchObject({
      key: { remoteJid: `${ADA}@s.whatsapp.net`, fromMe: true },
      status: 'SERVER_ACK',
      message: { conversation: 'Hello' },
      messageType: 'conversation',
    });
    expect(await seenBy(ADA)).toMatchObject([{ message_id: body.key.id, text: 'Hello' }]);
    await vi.waitFor(() => {
      expect(hooksOf('send.message')[0]?.body.data).toMatchObject({ key: { id: body.key.id } });
      const updates = hooksOf('messages.update').map(({ body: { data } }) => data);
      for (const state of ['SERVER_ACK', 'DELIVERY_ACK', 'READ'])
        expect(updates).toContainEqual(expect.objectContaining({ keyId: body.key.id, status: state }));
    });
  });

  it('sends once when the client repeats an id', async () => {
    const again = { number: ADA, text: 'Once', messageId: 'order-1' };
    const [one, two] = [
      await ask('POST', '/message/sendText/shop', again),
      await ask('POST', '/message/sendText/shop', again),
    ];
    expect(two.body.key.id).toBe(one.body.key.id);
    expect((await seenBy(ADA)).filter(({ text }: { text: string }) => text === 'Once')).toHaveLength(1);
  });

  const PIXEL =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  it.each([
    [
      'sendMedia',
      { mediatype: 'image', mimetype: 'image/png', caption: 'A pixel', media: PIXEL },
      'image',
      'imageMessage',
    ],
    [
      'sendMedia',
      {
        mediatype: 'document',
        mimetype: 'text/plain',
        fileName: 'a.txt',
        media: Buffer.from('text').toString('base64'),
      },
      'document',
      'documentMessage',
    ],
    [
      'sendLocation',
      { latitude: 53.5, longitude: 9.9, name: 'Harbour', address: 'Hamburg' },
      'location',
      'locationMessage',
    ],
    [
      'sendPoll',
      { name: 'When?', selectableCount: 1, values: ['Now', 'Later'] },
      'poll',
      'pollCreationMessageV3',
    ],
    [
      'sendContact',
      { contact: [{ fullName: 'Ben', wuid: '15550002002', phoneNumber: '+1 555 000 2002' }] },
      'contact',
      'contactMessage',
    ],
    [
      'sendButtons',
      {
        title: 'Today?',
        description: 'Yes or no',
        footer: 'Shop',
        buttons: [{ type: 'reply', displayText: 'Yes', id: 'y' }],
      },
      'interactive',
      'conversation',
    ],
    [
      'sendList',
      {
        title: 'Menu',
        description: 'Choose',
        footerText: 'Shop',
        buttonText: 'Open',
        sections: [{ title: 'Food', rows: [{ title: 'Soup', description: 'hot', rowId: 'soup' }] }],
      },
      'interactive',
      'conversation',
    ],
  ])('sends with %s', async (endpoint, fields, kind, messageType) => {
    const { status, body } = await ask('POST', `/message/${endpoint}/shop`, { number: ADA, ...fields });
    expect([status, body.messageType, body.status], JSON.stringify(body)).toEqual([
      201,
      messageType,
      'SERVER_ACK',
    ]);
    expect(await seenBy(ADA)).toContainEqual(
      expect.objectContaining({ message_id: body.key.id, type: kind }),
    );
  });

  it('reacts, edits, and deletes for everyone', async () => {
    const sent = (await ask('POST', '/message/sendText/shop', { number: ADA, text: 'Draft' })).body;
    expect((await ask('POST', '/message/sendReaction/shop', { key: sent.key, reaction: '👍' })).status).toBe(
      201,
    );
    expect(
      (await ask('POST', '/chat/updateMessage/shop', { number: ADA, key: sent.key, text: 'Final' })).status,
    ).toBe(200);
    const message = async () =>
      (await seenBy(ADA)).find(({ message_id }: { message_id: string }) => message_id === sent.key.id);
    await vi.waitFor(async () => expect(await message()).toMatchObject({ text: 'Final', edited: true }));
    expect((await ask('DELETE', '/chat/deleteMessageForEveryone/shop', sent.key)).status).toBe(201);
    await vi.waitFor(async () => expect(await message()).toMatchObject({ revoked: true }));
  });

  it('reports incoming messages, returns their files, and finds them again', async () => {
    const { message_id: id } = await phones('POST', `/${ADA}/messages`, {
      to: tenant.phone,
      media_type: 'image',
      media_base64: PIXEL,
      mimetype: 'image/png',
      caption: 'Look',
    });
    await vi.waitFor(() =>
      expect(hooksOf('messages.upsert').map(({ body }) => body.data)).toContainEqual(
        expect.objectContaining({
          key: expect.objectContaining({ id, fromMe: false }),
          pushName: 'Ada',
          messageType: 'imageMessage',
        }),
      ),
    );
    const file = await ask('POST', '/chat/getBase64FromMediaMessage/shop', { message: { key: { id } } });
    expect([file.status, file.body.base64, file.body.mimetype]).toEqual([201, PIXEL, 'image/png']);
    const jid = hooksOf('messages.upsert').at(-1)?.body.data.key as unknown as { remoteJid: string };
    const found = await ask('POST', '/chat/findMessages/shop', {
      where: { key: { remoteJid: jid.remoteJid } },
    });
    expect(found.body.messages.records[0]).toMatchObject({ key: { id }, messageType: 'imageMessage' });
    expect(found.body.messages).toMatchObject({ currentPage: 1, pages: 1 });
    expect(
      (await ask('POST', '/chat/findChats/shop', {})).body.map(
        (chat: { remoteJid: string }) => chat.remoteJid,
      ),
    ).toContain(jid.remoteJid);
    expect(
      (
        await ask('POST', '/chat/markMessageAsRead/shop', {
          readMessages: [{ remoteJid: jid.remoteJid, fromMe: false, id }],
        })
      ).body,
    ).toEqual({ message: 'Read messages', read: 'success' });
    await vi.waitFor(async () => {
      const sent = (await seenBy(ADA)).find((bubble: { message_id: string }) => bubble.message_id === id);
      expect(sent.receipts).toContainEqual(expect.objectContaining({ type: 'read' }));
    });
  });

  it('looks up numbers and manages groups', async () => {
    expect(
      (await ask('POST', '/chat/whatsappNumbers/shop', { numbers: [ADA, '15550009999'] })).body,
    ).toMatchObject([
      { jid: `${ADA}@s.whatsapp.net`, exists: true, number: ADA },
      { exists: false, number: '15550009999' },
    ]);
    const made = await ask('POST', '/group/create/shop', { subject: 'Crew', participants: [ADA] });
    expect([made.status, made.body.subject, made.body.size]).toEqual([201, 'Crew', 2]);
    const { id } = made.body;
    expect(
      (await ask('POST', `/group/updateGroupSubject/shop?groupJid=${id}`, { subject: 'Team' })).body,
    ).toEqual({ update: 'success' });
    expect((await ask('GET', `/group/findGroupInfos/shop?groupJid=${id}`)).body).toMatchObject({
      id,
      subject: 'Team',
    });
    expect((await ask('GET', '/group/fetchAllGroups/shop?getParticipants=false')).body).toMatchObject([
      { id, subject: 'Team', size: 2 },
    ]);
    const withMembers = await ask('GET', '/group/fetchAllGroups/shop?getParticipants=true');
    expect(withMembers.body[0].participants).toHaveLength(2);
    expect((await ask('GET', `/group/inviteCode/shop?groupJid=${id}`)).body.inviteUrl).toContain(
      'chat.whatsapp.com',
    );
    expect(
      (await ask('POST', `/group/toggleEphemeral/shop?groupJid=${id}`, { expiration: 86400 })).status,
    ).toBe(201);
    expect((await ask('DELETE', `/group/leaveGroup/shop?groupJid=${id}`)).body).toEqual({
      groupJid: id,
      leave: true,
    });
  });

  it('sets the webhook and the settings, and refuses what has no effect here', async () => {
    const set = await ask('POST', '/webhook/set/shop', {
      webhook: { enabled: true, url: hookUrl, events: ['MESSAGES_UPSERT'], base64: true },
    });
    expect(set).toMatchObject({
      status: 201,
      body: { url: hookUrl, enabled: true, events: ['MESSAGES_UPSERT'], webhookBase64: true },
    });
    expect((await ask('GET', '/webhook/find/shop')).body).toEqual(set.body);
    expect((await ask('POST', '/settings/set/shop', { readMessages: true })).status).toBe(400);
    expect((await ask('POST', '/settings/set/shop', { groupsIgnore: true, rejectCall: true })).status).toBe(
      201,
    );
    expect((await ask('GET', '/settings/find/shop')).body).toMatchObject({
      groupsIgnore: true,
      rejectCall: true,
    });
    expect((await ask('POST', '/typebot/create/shop', {})).body.response.message).toEqual([
      'Typebot is disabled',
    ]);
    expect(await ask('POST', '/message/sendText/shop', { number: ADA })).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', response: { message: [['instance requires property "text"']] } },
    });
  });

  it('logs out, and deletes the instance with its key', async () => {
    expect((await ask('DELETE', '/instance/logout/shop')).body).toEqual({
      status: 'SUCCESS',
      error: false,
      response: { message: 'Instance logged out' },
    });
    await vi.waitFor(async () =>
      expect((await ask('GET', '/instance/connectionState/shop')).body.instance.state).toBe('close'),
    );
    expect((await ask('DELETE', '/instance/delete/shop')).body.response.message).toBe('Instance deleted');
    expect((await ask('GET', '/instance/fetchInstances')).body).toEqual([]);
    await vi.waitFor(async () => {
      gateway.clock.advance(1_000);
      expect((await ask('GET', '/instance/fetchInstances', undefined, token)).status).toBe(401);
    });
  });
});
