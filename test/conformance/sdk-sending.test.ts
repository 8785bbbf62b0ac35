import { type AddressInfo, connect, createServer } from 'node:net';
import { createParley, MessageFailedError, type Parley, type SendBody } from 'parley-sdk';
import { beforeAll, expect, test, vi } from 'vitest';
import { useFileServer } from './file-server.ts';
import { newPhoneNumber, type Someone, someone, WATCHING } from './numbers.ts';
import { createFleet, shownOn } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const files = useFileServer();
const clientOf = ({ apiKey }: { apiKey: string }): Parley => createParley({ url: gateway.url, apiKey });

let ada: Someone;
beforeAll(async () => {
  ada = await someone(gateway);
});

const sender = createFleet(gateway);
const buttons = [{ type: 'quick_reply' as const, display_text: 'Yes', id: 'yes' }];

/** One of each kind that needs nothing but a recipient. */
const kinds: [
  kind: string,
  content: () => Omit<Exclude<SendBody, { type: 'disappearing' }>, 'session_id'>,
][] = [
  ['text', () => ({ to: ada.phone, text: 'Hello, Ada' })],
  ['image', () => ({ to: ada.phone, media_type: 'image', media_url: files.url('/picture.png') })],
  ['location', () => ({ to: ada.phone, type: 'location', latitude: 53.5, longitude: 10 })],
  ['video', () => ({ to: ada.phone, media_type: 'video', media_url: files.url('/film.mp4') })],
  ['audio', () => ({ to: ada.phone, media_type: 'audio', media_url: files.url('/voice.ogg') })],
  ['document', () => ({ to: ada.phone, media_type: 'document', media_url: files.url('/tides.pdf') })],
  [
    'contact',
    () => ({
      to: ada.phone,
      type: 'contact',
      display_name: 'Ben',
      vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben\nEND:VCARD',
    }),
  ],
  ['sticker', () => ({ to: ada.phone, type: 'sticker', sticker_url: files.url('/sticker.webp') })],
  ['poll', () => ({ to: ada.phone, type: 'poll', poll_name: 'When?', poll_options: ['Tue', 'Thu'] })],
  [
    'interactive',
    () => ({
      to: ada.phone,
      type: 'interactive',
      interactive_body: 'Coming?',
      interactive_buttons: buttons,
    }),
  ],
];

test.each(kinds)('%s is delivered', async (type, content) => {
  const me = await sender();
  const parley = clientOf(me);
  const body = { session_id: me.sessionId, ...content() } as Exclude<SendBody, { type: 'disappearing' }>;
  const { message_id } = await parley.messages.send(body);
  expect(await parley.messages.waitForStatus(message_id)).toMatchObject({ status: 'delivered' });
  expect(await shownOn(gateway, ada, message_id)).toMatchObject({ type });
});

test('reaction, edit and revocation change the message of their id', async () => {
  const me = await sender(4);
  const parley = clientOf(me);
  const from = { session_id: me.sessionId, to: ada.phone };
  const { message_id: id } = await parley.messages.send({ ...from, text: 'At nine' });
  const reacted = { reacted_message_id: id, reacted_from_me: true };
  await parley.messages.send({ ...from, type: 'reaction', ...reacted, emoji: '👍' });
  await parley.messages.send({ ...from, type: 'edit', edit_message_id: id, text: 'At ten' });
  await vi.waitFor(
    async () =>
      expect(await shownOn(gateway, ada, id)).toMatchObject({
        text: 'At ten',
        reactions: [{ emoji: '👍' }],
      }),
    WATCHING,
  );
  await parley.messages.send({ ...from, type: 'revoke', revoked_message_id: id, revoked_from_me: true });
  await vi.waitFor(
    async () => expect(await shownOn(gateway, ada, id)).toMatchObject({ revoked: true }),
    WATCHING,
  );
});

test('groups get messages, and people invitations to them', async () => {
  const me = await sender(2);
  const parley = clientOf(me);
  const { jid } = await parley.groups.create(me.sessionId, { name: 'Launch team', participants: [ada.jid] });
  const hello = await parley.messages.send({ session_id: me.sessionId, to: jid, text: 'Hello all' });
  expect(await shownOn(gateway, ada, hello.message_id)).toMatchObject({ chat_jid: jid, text: 'Hello all' });
  const ben = await someone(gateway, { name: 'Ben' });
  const invitation = { type: 'group_invite', group_invite_jid: jid } as const;
  const { message_id } = await parley.messages.send({
    session_id: me.sessionId,
    to: ben.phone,
    ...invitation,
  });
  expect(await shownOn(gateway, ben, message_id)).toMatchObject({ type: 'group_invite' });
});

test('a timer and a status are sent without a recipient’s copy', async () => {
  const me = await sender(3);
  const parley = clientOf(me);
  const timer = { type: 'disappearing', disappearing_timer: '24h' } as const;
  expect(await parley.messages.send({ session_id: me.sessionId, to: ada.jid, ...timer })).toEqual({
    status: 'accepted',
  });
  const status = { type: 'status', status_type: 'text', text: 'Open until 8' } as const;
  const { message_id } = await parley.messages.send({ session_id: me.sessionId, ...status });
  expect(await parley.messages.waitForStatus(message_id, { status: 'sent' })).toMatchObject({
    type: 'status',
  });
});

test('the same key sends once', async () => {
  const me = await sender(2);
  const parley = clientOf(me);
  const send = () =>
    parley.messages.send(
      { session_id: me.sessionId, to: ada.phone, text: 'Once' },
      { idempotencyKey: 'order-7' },
    );
  expect(await send()).toEqual(await send());
});

test('a failure has its reason, and a refusal its code', async () => {
  const me = await sender(1);
  const parley = clientOf(me);
  const { message_id } = await parley.messages.send({
    session_id: me.sessionId,
    to: newPhoneNumber(),
    text: 'Hello?',
  });
  const failure = await parley.messages.waitForStatus(message_id).catch((error) => error);
  expect(failure).toBeInstanceOf(MessageFailedError);
  expect(failure).toMatchObject({ record: { reason: 'INVALID_RECIPIENT' } });
  const foreign = parley.messages.send({
    session_id: '15550009999@s.whatsapp.net',
    to: ada.phone,
    text: 'No',
  });
  await expect(foreign).rejects.toMatchObject({ status: 403, code: 'session_not_owned' });
  const unauthorized = createParley({ url: gateway.url, apiKey: 'pk_unknown' }).sessions.list();
  await expect(unauthorized).rejects.toMatchObject({ status: 401, code: 'api_key_invalid' });
});

test('a lost answer is requested again, and nothing is sent twice', async () => {
  const me = await sender(2);
  const lossy = await loseFirstAnswer(gateway.url);
  const parley = createParley({ url: lossy.url, apiKey: me.apiKey });
  const { message_id } = await parley.messages.send({
    session_id: me.sessionId,
    to: ada.phone,
    text: 'Only once',
  });
  expect(lossy.connections()).toBe(2);
  await clientOf(me).messages.waitForStatus(message_id);
  const { messages } = await gateway.sandbox<{ messages: { text: string }[] }>(
    'GET',
    `/phones/${ada.phone}/messages?chat=${me.jid}`,
  );
  expect(messages.filter(({ text }) => text === 'Only once')).toHaveLength(1);
  lossy.close();
});

/** A proxy that forwards the first request and drops its answer. */
async function loseFirstAnswer(target: string) {
  const { hostname, port } = new URL(target);
  let connections = 0;
  const proxy = createServer((client) => {
    connections += 1;
    const isFirst = connections === 1;
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes) => (isFirst ? client.destroy() : client.write(bytes)));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const side of [client, upstream]) side.on('error', end).on('close', end);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url, connections: () => connections, close: () => proxy.close() };
}
