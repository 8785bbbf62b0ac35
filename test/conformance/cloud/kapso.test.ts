import { WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FILES, PICTURE, useFileServer } from '../file-server.ts';
import { WATCHING } from '../numbers.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { type CloudReceiver, type Stage, startCloudReceiver, takeStage, VERSION } from './stage.ts';

const gateway = sharedGateway();
const files = useFileServer();

const clientOf = ({ token, baseUrl }: Stage) =>
  new WhatsAppClient({ accessToken: token, baseUrl, graphVersion: VERSION });

/** A number may send five messages at once. */
async function begin() {
  const stage = await takeStage(gateway);
  return {
    stage,
    client: clientOf(stage),
    to: { phoneNumberId: stage.phoneNumberId, to: `+${stage.ada.phone}` },
  };
}

describe('@kapso/whatsapp-cloud-api sends', () => {
  test('text, location, a contact and reactions', async () => {
    const { stage, client, to } = await begin();
    const sent = await client.messages.sendText({ ...to, body: 'Hello' });
    expect(sent).toMatchObject({
      messagingProduct: 'whatsapp',
      contacts: [{ input: to.to, waId: stage.ada.phone }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    });
    await stage.seen('text', { text: 'Hello' });
    await client.messages.sendLocation({ ...to, location: { latitude: 53.5, longitude: 9.9, name: 'Port' } });
    await stage.seen('location');
    const name = { formattedName: 'Ben', firstName: 'Ben' };
    await client.messages.sendContacts({ ...to, contacts: [{ name, phones: [{ phone: '+15550002002' }] }] });
    await stage.seen('contact');
    const id = sent.messages[0]?.id ?? '';
    await client.messages.sendReaction({ ...to, reaction: { messageId: id, emoji: '👍' } });
    await stage.seen('text', { reactions: [expect.objectContaining({ emoji: '👍' })] });
    await client.messages.sendText({ ...to, body: 'Again', contextMessageId: id });
    await stage.seen('text', { text: 'Again', quoted_message_id: expect.stringMatching(/^3EB0/) });
  });

  test('image, video, audio, document and sticker', async () => {
    const { stage, client, to } = await begin();
    await client.messages.sendImage({ ...to, image: { link: files.url('/picture.png'), caption: 'Look' } });
    await client.messages.sendVideo({ ...to, video: { link: files.url('/film.mp4') } });
    await client.messages.sendAudio({ ...to, audio: { link: files.url('/voice.ogg') } });
    await client.messages.sendDocument({
      ...to,
      document: { link: files.url('/tides.pdf'), filename: 'Tides.pdf' },
    });
    await client.messages.sendSticker({ ...to, sticker: { link: files.url('/sticker.webp') } });
    for (const type of ['image', 'video', 'audio', 'document', 'sticker']) await stage.seen(type);
  });

  test('buttons, a list, a link, and a location request; refuses what has no equivalent', async () => {
    const { stage, client, to } = await begin();
    await client.messages.sendInteractiveButtons({
      ...to,
      bodyText: 'Today?',
      buttons: [{ id: 'y', title: 'Yes' }],
    });
    await client.messages.sendInteractiveList({
      ...to,
      bodyText: 'Which?',
      buttonText: 'Choose',
      sections: [{ title: 'All', rows: [{ id: 'r', title: 'Row' }] }],
    });
    await client.messages.sendInteractiveCtaUrl({
      ...to,
      bodyText: 'Track',
      parameters: { displayText: 'Open', url: 'https://a.example/1' },
    });
    await stage.seen('interactive');
    await client.messages.sendInteractiveLocationRequest({
      ...to,
      bodyText: 'Where are you?',
      parameters: { requestMessage: 'Where are you?' },
    });
    await stage.seen('text', { text: 'Where are you?' });
    const flow = client.messages.sendInteractiveFlow({
      ...to,
      bodyText: 'x',
      parameters: { flowId: '1', flowCta: 'Go', flowToken: 't' },
    });
    await expect(flow).rejects.toMatchObject({ code: 131051 });
  });

  test('a template once it is defined, and files that it uploads, reads back and deletes', async () => {
    const { stage, client, to } = await begin();
    const template = { name: 'order_ready', language: { code: 'en_US' } };
    await expect(client.messages.sendTemplate({ ...to, template })).rejects.toMatchObject({ code: 132001 });
    const { wabaId: businessAccountId } = stage;
    await client.templates.create({
      businessAccountId,
      name: 'order_ready',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Order {{1}} is ready.', example: { bodyText: [['7']] } }],
    });
    const { data } = await client.templates.list({ businessAccountId });
    expect(data).toMatchObject([{ name: 'order_ready', status: 'APPROVED', language: 'en_US' }]);
    const components = [{ type: 'body', parameters: [{ type: 'text', text: '42' }] }];
    await client.messages.sendTemplate({ ...to, template: { ...template, components } } as never);
    await stage.seen('text', { text: 'Order 42 is ready.' });
    await client.templates.delete({ businessAccountId, name: 'order_ready' });

    const { phoneNumberId } = stage;
    const file = new Blob([FILES['/picture.png']], { type: 'image/png' });
    const { id } = await client.media.upload({ phoneNumberId, type: 'image/png', file, fileName: 'a.png' });
    await client.messages.sendImage({ ...to, image: { id } });
    await stage.seen('image');
    expect(await client.media.get({ mediaId: id })).toMatchObject({ id, mimeType: 'image/png' });
    const bytes = await client.media.download({ mediaId: id, auth: 'always' });
    expect(Buffer.from(bytes as ArrayBuffer)).toEqual(PICTURE);
    expect(await client.media.delete({ mediaId: id })).toMatchObject({ success: true });
    await expect(client.media.get({ mediaId: id })).rejects.toMatchObject({ code: 100 });
  });
});

describe('@kapso/whatsapp-cloud-api receives', () => {
  let stage: Stage;
  let receiver: CloudReceiver;
  let appSecret: string;

  beforeAll(async () => {
    [stage, receiver] = await Promise.all([takeStage(gateway), startCloudReceiver()]);
    const { url: override_callback_uri, verifyToken: verify_token } = receiver;
    const body = { webhook_configuration: { override_callback_uri, verify_token } };
    const set = await stage.ask<{ app_secret: string }>('POST', `/${stage.phoneNumberId}`, body);
    appSecret = set.body.app_secret;
  });
  afterAll(() => receiver.close());

  test('messages and statuses, signed', async () => {
    const client = clientOf(stage);
    await stage.says({ text: 'Is it ready?' });
    const { body, headers } = await receiver.message('text');
    const signatureHeader = String(headers['x-hub-signature-256']);
    expect(verifySignature({ appSecret, rawBody: body, signatureHeader })).toBe(true);
    const { messages, contacts, phoneNumberId } = normalizeWebhook(JSON.parse(body));
    expect(phoneNumberId).toBe(stage.phoneNumberId);
    expect(contacts).toMatchObject([{ waId: stage.ada.phone, profile: { name: 'Ada' } }]);
    expect(messages).toMatchObject([{ type: 'text', text: { body: 'Is it ready?' }, from: stage.ada.phone }]);

    const messageId = messages[0]?.id ?? '';
    await client.messages.markRead({
      phoneNumberId: stage.phoneNumberId,
      messageId,
      typingIndicator: { type: 'text' },
    });
    await vi.waitFor(async () => {
      const { messages: bubbles } = await gateway.sandbox<{ messages: { receipts: object[] }[] }>(
        'GET',
        `/phones/${stage.ada.phone}/messages`,
      );
      expect(bubbles.at(-1)?.receipts).toContainEqual(expect.objectContaining({ type: 'read' }));
    }, WATCHING);

    const sent = await client.messages.sendText({
      phoneNumberId: stage.phoneNumberId,
      to: stage.ada.phone,
      body: 'It is',
      contextMessageId: messageId,
      bizOpaqueCallbackData: 'order-7',
    });
    const id = sent.messages[0]?.id ?? '';
    for (const status of ['sent', 'delivered']) {
      const normalized = normalizeWebhook(JSON.parse((await receiver.status(id, status)).body));
      expect(normalized.statuses).toMatchObject([{ id, status, recipientId: stage.ada.phone }]);
      expect((await receiver.status(id, status)).value.statuses?.[0]).toMatchObject({
        biz_opaque_callback_data: 'order-7',
      });
    }
  });
});
