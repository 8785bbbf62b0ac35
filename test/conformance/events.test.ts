import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Group, WebhookWithSecret } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LinkedNumber, link, linkedNumber, register, type Someone, someone } from './numbers.ts';
import { type Receiver, startReceiver, verifies } from './receiver.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const now = () => Date.now() / 1_000;
let me: LinkedNumber;
let ada: Someone;
let receiver: Receiver;
let webhook: WebhookWithSecret;

beforeAll(async () => {
  receiver = await startReceiver();
  [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway, { name: 'Ada' })]);
  const { body } = await me.call<WebhookWithSecret>('POST', '/webhooks', {
    session_id: me.sessionId,
    messages_url: `${receiver.url}/messages`,
    status_url: `${receiver.url}/status`,
    connection_url: `${receiver.url}/connection`,
    events_url: `${receiver.url}/events`,
  });
  webhook = body;
});
afterAll(() => receiver.close());

/** Ada does something with her phone. */
const adas = <T>(path: string, body: object, person = ada): Promise<T> =>
  gateway.sandbox('POST', `/phones/${person.phone}${path}`, body);

async function adaSends(message: object, to = me.phone): Promise<string> {
  const { message_id } = await adas<{ message_id: string }>('/messages', { to, ...message });
  return message_id;
}

const messageWith = (id: string) => receiver.next('message', ({ message_id }) => message_id === id);

let sends = 0;
/** As fast as the rate of the number allows: on a fast machine these tests would exceed it. */
async function send(message: object): Promise<{ id: string; key: string }> {
  const key = `order-${me.phone}-${++sends}`;
  const { status, headers, body } = await me.call<{ message_id: string }>(
    'POST',
    '/messages',
    { session_id: me.sessionId, ...message },
    { 'Idempotency-Key': key },
  );
  if (status === 429) {
    await sleep(1_000 * Number(headers.get('retry-after')));
    return send(message);
  }
  expect(status).toBe(202);
  return { id: body.message_id, key };
}

describe('an incoming message', () => {
  test('arrives signed, with all its fields, at the URL for messages', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const id = await adaSends({ text: 'Is my order ready? 👋' });
    const delivery = await messageWith(id);
    expect(delivery.path).toBe('/messages');
    expect(delivery.event).toEqual({
      kind: 'message',
      message_id: id,
      session_id: me.sessionId,
      sender_jid: ada.jid,
      sender_phone: ada.jid,
      sender_name: 'Ada',
      chat_jid: ada.jid,
      is_group: false,
      type: 'text',
      text: 'Is my order ready? 👋',
      timestamp_unix: expect.any(Number),
      broadcast: false,
    });
    expect(delivery.event.timestamp_unix).toBeGreaterThanOrEqual(before - 2);
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-id': webhook.id,
      'x-message-id': id,
      'x-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-webhook-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
    });
    expect(await verifies(delivery, webhook.secret, now())).toBe(true);
    expect(await verifies(delivery, 'whsec_wrong', now())).toBe(false);
    expect(await verifies({ ...delivery, body: `${delivery.body} ` }, webhook.secret, now())).toBe(false);
    expect(await verifies(delivery, webhook.secret, now() + 301)).toBe(false);
  });

  test('with media has the file inside', async () => {
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(50_000, 3)]);
    const id = await adaSends({
      media_type: 'image',
      media_base64: jpeg.toString('base64'),
      mimetype: 'image/jpeg',
      caption: 'Look',
    });
    const { event } = await messageWith(id);
    expect(event).toMatchObject({ type: 'image', text: 'Look' });
    expect(event.media).toEqual({
      mimetype: 'image/jpeg',
      extension: 'jpg',
      file_length: jpeg.length,
      data: jpeg.toString('base64'),
      status: 'downloaded',
    });
  });

  test('with a document has its name, above 4 MB only its description', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(4 * 1024 * 1024 - 7, 1)]);
    receiver.files.set('/Offer.pdf', pdf);
    const id = await adaSends({ media_type: 'document', media_url: `${receiver.url}/Offer.pdf` });
    expect((await messageWith(id)).event.media).toEqual({
      mimetype: 'application/pdf',
      extension: 'pdf',
      filename: 'Offer.pdf',
      file_length: pdf.length,
      data: '',
      status: 'too_large',
    });
  });

  test('with a place', async () => {
    const id = await adaSends({
      type: 'location',
      latitude: 52.5,
      longitude: 13.4,
      loc_name: 'Office',
      loc_address: 'Main St 1',
    });
    const { event } = await messageWith(id);
    expect(event).toMatchObject({
      type: 'location',
      location: { latitude: 52.5, longitude: 13.4, name: 'Office', address: 'Main St 1' },
    });
  });

  test('with a poll', async () => {
    const id = await adaSends({
      type: 'poll',
      poll_name: 'Tea?',
      poll_options: ['yes', 'no'],
      poll_selectable_count: 1,
    });
    expect((await messageWith(id)).event).toMatchObject({
      type: 'poll',
      poll: { name: 'Tea?', options: ['yes', 'no'], selectable_count: 1 },
    });
  });

  test('that replies, and one that reacts, name what they are about', async () => {
    const { id: question } = await send({ to: ada.phone, text: 'Coming?' });
    const reply = await adaSends({ text: 'Yes', quoted_message_id: question, quoted_text: 'Coming?' });
    expect((await messageWith(reply)).event).toMatchObject({
      type: 'text',
      quoted_message_id: question,
      quoted_text: 'Coming?',
    });
    const reaction = await adaSends({ type: 'reaction', reacted_message_id: question, emoji: '👍' });
    expect((await messageWith(reaction)).event).toMatchObject({
      type: 'reaction',
      text: '👍',
      reacted_message_id: question,
    });
  });

  test('in a group names the group, and its sender by the address that hides the number', async () => {
    const { jid } = await adas<Group>('/groups', { name: 'Lunch', participants: [me.jid] });
    const id = await adaSends({ text: 'Hello all' }, jid);
    expect((await messageWith(id)).event).toMatchObject({
      is_group: true,
      chat_jid: jid,
      sender_jid: ada.lid,
      sender_phone: ada.jid,
    });
  });

  test("is marked as broadcast when it is a contact's story", async () => {
    const contact = { first_name: 'Me', full_name: 'Me' };
    await adas('/contacts', { phone: me.phone, ...contact });
    await gateway.sandbox('POST', `/phones/${me.phone}/contacts`, { phone: ada.phone, ...contact });
    const id = await adaSends({ type: 'status', status_type: 'text', text: 'Sunny' });
    expect((await messageWith(id)).event).toMatchObject({
      broadcast: true,
      text: 'Sunny',
      sender_jid: ada.jid,
    });
  });

  test('that answers a button carries its id', async () => {
    const { id } = await send({
      to: ada.phone,
      type: 'interactive',
      interactive_body: 'Ready?',
      interactive_buttons: [{ type: 'quick_reply', display_text: 'Yes', id: 'btn-yes' }],
    });
    await receiver.next('status', ({ message_id }) => message_id === id);
    const { message_id } = await adas<{ message_id: string }>('/button-presses', {
      message_id: id,
      id: 'btn-yes',
    });
    expect((await messageWith(message_id)).event).toMatchObject({
      type: 'button_response',
      text: 'Yes',
      button_response: { selected_id: 'btn-yes', selected_text: 'Yes' },
    });
  });
});

describe('a sent message', () => {
  test('tells when it is sent, delivered and read, all under the key of its send', async () => {
    const { id, key } = await send({ to: ada.phone, text: 'Ready' });
    const status = await receiver.next('status', ({ message_id }) => message_id === id);
    expect(status.path).toBe('/status');
    expect(status.event).toEqual({
      kind: 'status',
      session_id: me.sessionId,
      request_id: key,
      message_id: id,
      network_message_id: id,
      to: ada.jid,
      status: 'sent',
      timestamp_unix: expect.any(Number),
    });
    expect(await verifies(status, webhook.secret, now())).toBe(true);
    const receipt = (type: string) =>
      receiver.next(
        'receipt',
        ({ network_message_id, receipt_type }) => network_message_id === id && receipt_type === type,
      );
    const delivered = await receipt('delivered');
    expect(delivered.path).toBe('/status');
    expect(delivered.event).toEqual({
      kind: 'receipt',
      session_id: me.sessionId,
      request_id: key,
      network_message_id: id,
      recipient_jid: ada.jid,
      receipt_type: 'delivered',
      timestamp_unix: expect.any(Number),
    });
    await adas('/receipts', { message_id: id, type: 'read' });
    expect((await receipt('read')).event.request_id).toBe(key);
    const ids = receiver.deliveries.map(({ headers }) => headers['x-message-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('tells when it is played', async () => {
    receiver.files.set('/voice.ogg', Buffer.from('OggS and what was said'));
    const { id, key } = await send({
      to: ada.phone,
      media_type: 'audio',
      media_url: `${receiver.url}/voice.ogg`,
    });
    await receiver.next('receipt', ({ network_message_id }) => network_message_id === id);
    await adas('/receipts', { message_id: id, type: 'played' });
    const { event } = await receiver.next(
      'receipt',
      ({ network_message_id, receipt_type }) => network_message_id === id && receipt_type === 'played',
    );
    expect(event.request_id).toBe(key);
  });

  test('tells why it failed', async () => {
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'send_permanent' });
    const { id, key } = await send({ to: ada.phone, text: 'Lost' });
    const { event } = await receiver.next('status', ({ message_id }) => message_id === id);
    expect(event).toMatchObject({ status: 'failed', reason: 'SEND_FAILED', request_id: key });
    expect(event).not.toHaveProperty('network_message_id');
  });
});

describe('the URL for events gets', () => {
  test('votes, as hashes of what was chosen', async () => {
    const poll = { type: 'poll', poll_name: 'Tea?', poll_options: ['yes', 'no'], poll_selectable_count: 1 };
    const { id } = await send({ to: ada.phone, ...poll });
    await receiver.next('status', ({ message_id }) => message_id === id);
    await adas('/votes', { poll_message_id: id, options: ['yes'] });
    const vote = await receiver.next('poll_vote', ({ selected_hashes }) => selected_hashes.length > 0);
    expect(vote.path).toBe('/events');
    expect(vote.event).toEqual({
      kind: 'poll_vote',
      session_id: me.sessionId,
      voter_jid: ada.jid,
      chat_jid: ada.jid,
      poll_message_id: id,
      selected_hashes: [createHash('sha256').update('yes').digest('hex')],
      timestamp_unix: expect.any(Number),
    });
    await adas('/votes', { poll_message_id: id, options: [] });
    await receiver.next('poll_vote', ({ selected_hashes }) => selected_hashes.length === 0);
  });

  test('typing, which leaves no trace in the history', async () => {
    await adas('/typing', { to: me.phone, typing: true, media: 'audio' });
    const { event, path } = await receiver.next('typing');
    expect(path).toBe('/events');
    expect(event).toEqual({
      kind: 'typing',
      session_id: me.sessionId,
      sender_jid: ada.jid,
      chat_jid: ada.jid,
      is_group: false,
      typing: true,
      media: 'audio',
    });
    const { body } = await me.call<{ deliveries: { kind: string }[] }>(
      'GET',
      `/webhooks/${webhook.id}/deliveries?limit=100`,
    );
    expect(body.deliveries.map(({ kind }) => kind)).not.toContain('typing');
  });

  test('presence, of contacts that were subscribed to', async () => {
    expect((await me.on('POST', '/presence/subscribe', { contact_jid: ada.jid })).status).toBe(204);
    await adas('/presence', { online: true });
    const online = await receiver.next('presence', (event) => event.online);
    expect(online.event).toEqual({
      kind: 'presence',
      session_id: me.sessionId,
      contact_jid: ada.jid,
      online: true,
    });
    const lastSeen = Math.floor(Date.now() / 1_000) - 60;
    await adas('/presence', { online: false, last_seen_unix: lastSeen });
    const offline = await receiver.next(
      'presence',
      (event) => !event.online && event.last_seen_unix === lastSeen,
    );
    expect(offline.path).toBe('/events');
  });

  test('calls, rejected or not', async () => {
    const { call_id } = await adas<{ call_id: string }>('/calls', { to: me.phone, video: true });
    const offer = await receiver.next('call', (event) => event.call_id === call_id);
    expect(offer.event).toEqual({
      kind: 'call',
      session_id: me.sessionId,
      call_id,
      from_jid: ada.jid,
      event: 'offer',
      video: true,
      rejected: false,
      timestamp_unix: expect.any(Number),
    });
    await adas(`/calls/${call_id}/terminate`, { reason: 'timeout' });
    await receiver.next('call', (event) => event.call_id === call_id && event.event === 'terminate');

    await me.on('POST', '/calls/auto-reject', { enabled: true });
    const second = await adas<{ call_id: string }>('/calls', { to: me.phone });
    const rejected = await receiver.next('call', (event) => event.call_id === second.call_id);
    expect(rejected.event).toMatchObject({ event: 'offer', rejected: true, video: false });
  });

  test('posts of channels that the number follows', async () => {
    const { jid } = await adas<{ jid: string }>('/channels', { name: 'Ferry news' });
    expect((await me.on('POST', '/newsletters/follow', { channel: jid })).status).toBe(200);
    await adas(`/channels/${jid}/messages`, { text: 'On time' });
    const { event, path } = await receiver.next('newsletter_message');
    expect(path).toBe('/events');
    expect(event).toEqual({
      kind: 'newsletter_message',
      session_id: me.sessionId,
      newsletter_jid: jid,
      server_id: expect.any(Number),
      message_id: expect.any(String),
      type: 'text',
      text: 'On time',
      timestamp_unix: expect.any(Number),
    });
  });
});

describe('the URL for the connection hears', () => {
  test('of a log-out at once', async () => {
    const other = await linkedNumber(gateway);
    const { body } = await other.call<WebhookWithSecret>('POST', '/webhooks', {
      session_id: other.jid,
      connection_url: `${receiver.url}/connection`,
    });
    await gateway.sandbox('POST', `/phones/${other.phone}/unlink`, { session_id: other.sessionId });
    const { event, path, headers } = await receiver.next('connection', ({ event }) => event === 'logged_out');
    expect(path).toBe('/connection');
    expect(headers['x-webhook-id']).toBe(body.id);
    expect(event).toEqual({
      kind: 'connection',
      session_id: other.sessionId,
      event: 'logged_out',
      timestamp_unix: expect.any(Number),
    });
  });

  test('of a number that was linked again', async () => {
    const fresh = await register(gateway, 'max', (await someone(gateway)).phone);
    await fresh.call('POST', '/webhooks', {
      session_id: fresh.jid,
      connection_url: `${receiver.url}/connection`,
    });
    const linked = await link(fresh);
    const { event } = await receiver.next('connection', ({ session_id }) => session_id === linked.sessionId);
    expect(event.event).toBe('connected');
  });
});
