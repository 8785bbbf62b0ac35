import { Client } from '@great-detail/whatsapp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILES, PICTURE, useFileServer } from '../file-server.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { type CloudReceiver, type Stage, startCloudReceiver, takeStage, VERSION } from './stage.ts';

const gateway = sharedGateway();
const files = useFileServer();

const clientOf = ({ token, baseUrl }: Stage) =>
  new Client({
    prefixUrl: baseUrl,
    graphVersion: VERSION,
    request: { headers: { Authorization: `Bearer ${token}` }, retry: 0 },
  });

async function begin() {
  const stage = await takeStage(gateway);
  return {
    stage,
    client: clientOf(stage),
    to: { phoneNumberID: stage.phoneNumberId, to: stage.ada.phone } as const,
  };
}

describe('@great-detail/whatsapp sends', () => {
  test('text, location, a contact, a reaction and buttons', async () => {
    const { stage, client, to } = await begin();
    const sent = await client.message
      .createMessage({ ...to, type: 'text', text: { body: 'Hello' } } as never)
      .json();
    const id = sent.messages[0]?.id ?? '';
    await stage.seen('text', { text: 'Hello' });
    const others = [
      { type: 'location', location: { latitude: 53.5, longitude: 9.9, name: 'Port', address: 'Hamburg' } },
      {
        type: 'contacts',
        contacts: [
          {
            name: { formatted_name: 'Ben' },
            phones: [{ phone: '+15550002002', type: 'HOME' }],
            addresses: [],
            emails: [],
          },
        ],
      },
      { type: 'reaction', reaction: { message_id: id, emoji: '👍' } },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Today?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
        },
      },
    ];
    for (const message of others) await client.message.createMessage({ ...to, ...message } as never).json();
    for (const type of ['location', 'contact', 'interactive']) await stage.seen(type);
    await stage.seen('text', { reactions: [expect.objectContaining({ emoji: '👍' })] });
  });

  test('every kind of file', async () => {
    const { stage, client, to } = await begin();
    const paths = {
      image: '/picture.png',
      video: '/film.mp4',
      audio: '/voice.ogg',
      document: '/tides.pdf',
      sticker: '/sticker.webp',
    };
    for (const [type, path] of Object.entries(paths))
      await client.message.createMessage({ ...to, type, [type]: { link: files.url(path) } } as never).json();
    for (const type of Object.keys(paths)) await stage.seen(type);
  });

  test('a template after its definition; manages files, numbers and the profile', async () => {
    const { stage, client, to } = await begin();
    await client.template
      .create(stage.wabaId, {
        name: 'hello_there',
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hello {{1}}', example: { body_text: [['Ada']] } }],
      } as never)
      .json();
    const template = {
      name: 'hello_there',
      language: { code: 'en' },
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
    };
    await client.message.createMessage({ ...to, type: 'template', template } as never).json();
    await stage.seen('text', { text: 'Hello Ada' });
    expect(await client.template.list(stage.wabaId, {}).json()).toMatchObject({
      data: [{ name: 'hello_there' }],
    });
    expect(await client.template.delete(stage.wabaId, { name: 'hello_there' } as never).json()).toEqual({
      success: true,
    });

    const file = new Blob([FILES['/picture.png']], { type: 'image/png' });
    const { phoneNumberID } = to;
    const { id: mediaID } = await client.media
      .upload({ phoneNumberID, file, filename: 'a.png', mimeType: 'image/png' })
      .json();
    const { url: mediaURL } = await client.media.getURL({ mediaID, phoneNumberID }).json();
    const request = { headers: { Authorization: `Bearer ${stage.token}` } };
    const bytes = await client.media.download({ mediaURL, request }).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(PICTURE);
    expect(await client.media.delete({ mediaID }).json()).toEqual({ success: true });

    const numbers = await client.phoneNumbers.listPhoneNumbers({ businessAccountID: stage.wabaId }).json();
    expect(numbers).toMatchObject({
      data: [
        { id: stage.phoneNumberId, display_phone_number: `+${stage.me.phone}`, quality_rating: 'GREEN' },
      ],
    });
    const one = await client.phoneNumbers
      .getPhoneNumber({ phoneNumberID, fields: ['quality_rating'] })
      .json();
    expect(one).toEqual({ id: stage.phoneNumberId, quality_rating: 'GREEN' });
    await client.businessProfile.updateBusinessProfile({ phoneNumberID, about: 'Back on Monday' }).json();
    expect(
      await client.businessProfile.getBusinessProfile({ phoneNumberID, fields: ['about'] }).json(),
    ).toMatchObject({
      data: [{ about: 'Back on Monday' }],
    });
  });
});

describe('@great-detail/whatsapp receives', () => {
  let stage: Stage;
  let receiver: CloudReceiver;

  beforeAll(async () => {
    [stage, receiver] = await Promise.all([takeStage(gateway), startCloudReceiver()]);
  });
  afterAll(() => receiver.close());

  test('events after its subscription, signed with its secret', async () => {
    const client = clientOf(stage);
    const subscription = {
      businessAccountID: stage.wabaId,
      override_callback_uri: receiver.url,
      verify_token: receiver.verifyToken,
      app_secret: 'its own secret',
    };
    expect(await client.subscribedApps.createSubscription(subscription as never).json()).toEqual({
      success: true,
    });
    expect(
      await client.subscribedApps.listSubscriptions({ businessAccountID: stage.wabaId }).json(),
    ).toMatchObject({
      data: [{ override_callback_uri: receiver.url }],
    });
    await stage.says({ type: 'location', latitude: 1, longitude: 2, loc_name: 'Port' });
    const { body, headers } = await receiver.message('location');
    const notification = await client.webhook.eventNotification({
      method: 'POST',
      headers,
      body,
      query: {},
    } as never);
    await notification.verifySignature('its own secret');
    await expect(notification.verifySignature('another')).rejects.toThrow();
    expect(notification.eventNotification.entry[0]?.changes[0]).toMatchObject({
      field: 'messages',
      value: { messages: [{ type: 'location', location: { latitude: 1, longitude: 2, name: 'Port' } }] },
    });
  });
});
