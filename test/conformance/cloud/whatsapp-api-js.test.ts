import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  Audio,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Contacts,
  Document,
  Image,
  Interactive,
  Language,
  ListSection,
  Location,
  Name,
  Phone,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  Video,
} from 'whatsapp-api-js/messages';
import { PICTURE, useFileServer } from '../file-server.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { type CloudReceiver, type Stage, startCloudReceiver, takeStage, VERSION } from './stage.ts';

const gateway = sharedGateway();
const files = useFileServer();

const clientOf = ({ token, baseUrl }: Stage) =>
  new WhatsAppAPI({
    token,
    appSecret: 'shared',
    webhookVerifyToken: 'known to both',
    v: VERSION,
    ponyfill: {
      // It supports one address only; `fetch` is its hook for another.
      fetch: ((url: string, init?: RequestInit) =>
        fetch(String(url).replace('https://graph.facebook.com', baseUrl), init)) as typeof fetch,
    },
  } as never);

async function begin() {
  const stage = await takeStage(gateway);
  const client = clientOf(stage);
  const send = async (message: unknown, context?: string): Promise<string> => {
    const answer = (await client.sendMessage(
      stage.phoneNumberId,
      stage.ada.phone,
      message as never,
      context,
    )) as {
      messages?: [{ id: string }];
      error?: { message: string };
    };
    if (!answer.messages) throw new Error(answer.error?.message);
    return answer.messages[0].id;
  };
  return { stage, client, send };
}

describe('whatsapp-api-js sends', () => {
  test('text, a reply, a location, a contact card and a reaction', async () => {
    const { stage, send } = await begin();
    const id = await send(new Text('Hello'));
    await stage.seen('text', { text: 'Hello' });
    await send(new Text('Again'), id);
    await stage.seen('text', { text: 'Again', quoted_message_id: expect.stringMatching(/^3EB0/) });
    await send(new Location(9.9, 53.5, 'Port', 'Hamburg'));
    await stage.seen('location');
    await send(new Contacts([new Name('Ben', 'Ben'), new Phone('+15550002002')]));
    await stage.seen('contact');
    await send(new Reaction(id, '👍'));
  });

  test('every kind of file', async () => {
    const { stage, send } = await begin();
    await send(new Image(files.url('/picture.png'), false, 'Look'));
    await send(new Video(files.url('/film.mp4'), false));
    await send(new Audio(files.url('/voice.ogg'), false));
    await send(new Document(files.url('/tides.pdf'), false, undefined, 'Tides.pdf'));
    await send(new Sticker(files.url('/sticker.webp'), false));
    for (const type of ['image', 'video', 'audio', 'document', 'sticker']) await stage.seen(type);
  });

  test('buttons, lists, links and a template', async () => {
    const { stage, send } = await begin();
    await send(new Interactive(new ActionButtons(new Button('y', 'Yes')), new Body('Today?')));
    const list = new ActionList('Choose', new ListSection(undefined, new Row('r', 'Row', 'more')));
    await send(new Interactive(list, new Body('Which?')));
    await send(new Interactive(new ActionCTA('Open', 'https://a.example/1'), new Body('Track')));
    await stage.seen('interactive');
    const definition = {
      name: 'hi',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hi {{1}}' }],
    };
    await stage.ask('POST', `/${stage.wabaId}/message_templates`, definition);
    await send(new Template('hi', new Language('en'), new BodyComponent(new BodyParameter('Ada'))));
    await stage.seen('text', { text: 'Hi Ada' });
  });

  test('files, which it uploads, downloads and deletes, and blocks people', async () => {
    const { stage, client } = await begin();
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', 'image/png');
    form.set('file', new Blob([PICTURE], { type: 'image/png' }), 'a.png');
    const { id } = (await client.uploadMedia(stage.phoneNumberId, form)) as { id: string };
    const { url } = (await client.retrieveMedia(id, stage.phoneNumberId)) as { url: string };
    const got = (await client.fetchMedia(url)) as Response;
    expect(Buffer.from(await got.arrayBuffer())).toEqual(PICTURE);
    expect(await client.deleteMedia(id)).toEqual({ success: true });
    const { phone } = stage.ada;
    const blocked = await client.blockUser(stage.phoneNumberId, phone);
    expect(blocked).toMatchObject({ block_users: { added_users: [{ input: phone, wa_id: phone }] } });
    const unblocked = await client.unblockUser(stage.phoneNumberId, phone);
    expect(unblocked).toMatchObject({ block_users: { removed_users: [{ input: phone, wa_id: phone }] } });
  });
});

describe('whatsapp-api-js receives', () => {
  let stage: Stage;
  let receiver: CloudReceiver;

  beforeAll(async () => {
    [stage, receiver] = await Promise.all([takeStage(gateway), startCloudReceiver()]);
    const webhook_configuration = {
      override_callback_uri: receiver.url,
      verify_token: receiver.verifyToken,
      app_secret: 'shared',
    };
    expect(await stage.ask('POST', `/${stage.phoneNumberId}`, { webhook_configuration })).toMatchObject({
      status: 200,
      body: { success: true },
    });
  });
  afterAll(() => receiver.close());

  test('messages and statuses, through its own middleware', async () => {
    const client = clientOf(stage);
    const messages: unknown[] = [];
    const statuses: unknown[] = [];
    client.on.message = (({ message, from, name }: Record<string, unknown>) =>
      void messages.push({ message, from, name })) as never;
    client.on.status = (({ status, id, phone }: Record<string, unknown>) =>
      void statuses.push({ status, id, phone })) as never;
    await stage.says({
      media_type: 'image',
      media_base64: PICTURE.toString('base64'),
      mimetype: 'image/png',
      caption: 'Look',
    });
    const image = await receiver.message('image');
    await client.post(JSON.parse(image.body), image.body, String(image.headers['x-hub-signature-256']));
    expect(messages).toMatchObject([
      {
        from: stage.ada.phone,
        name: 'Ada',
        message: { type: 'image', image: { caption: 'Look', mime_type: 'image/png' } },
      },
    ]);
    const id = (
      (await client.sendMessage(stage.phoneNumberId, stage.ada.phone, new Text('Nice'))) as {
        messages: [{ id: string }];
      }
    ).messages[0].id;
    const sent = await receiver.status(id, 'sent');
    await client.post(JSON.parse(sent.body), sent.body, String(sent.headers['x-hub-signature-256']));
    expect(statuses).toMatchObject([{ status: 'sent', id, phone: stage.ada.phone }]);
  });
});
