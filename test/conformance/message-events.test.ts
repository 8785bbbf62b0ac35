import type { Group, PublicEvent } from '@parley/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from './receiver.ts';
import { sharedGateway } from './shared-gateway.ts';
import { createWebhookHarness } from './webhook-harness.ts';

const gateway = sharedGateway();
const { me, ada, receiver, webhook, adas, adaSends, send } = await createWebhookHarness(gateway);
afterAll(() => receiver.close());

const now = () => Date.now() / 1_000;
/** The reference to a file of any size. */
const FILE_NAME = {
  id: expect.stringMatching(/^med_/),
  url: expect.stringMatching(/^http:.*\/v1\/media\/med_\w+\/file\?/),
};
const messageWith = (id: string) => receiver.next('message', ({ message_id }) => message_id === id);

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
      sender_lid: ada.lid,
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
      ...FILE_NAME,
    });
  });

  test('with a document has its name, above 4 MB only its description', { tags: 'anywhere' }, async () => {
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
      ...FILE_NAME,
    });
  });

  test('with a file of 64 MB has its size and the link to it', async () => {
    const file = Buffer.alloc(64 * 1024 * 1024, 'parley');
    const id = await adaSends({
      media_type: 'document',
      media_base64: file.toString('base64'),
      mimetype: 'application/zip',
      file_name: 'Archive.zip',
    });
    const { media } = (await messageWith(id)).event;
    expect(media).toMatchObject({ file_length: file.length, status: 'too_large' });
    const answer = await fetch(media?.url ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(file.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  }, 180_000);

  test('with a file that only its phone still has is complete', { tags: 'anywhere' }, async () => {
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'media_download' });
    const bytes = Buffer.from('an old picture').toString('base64');
    const id = await adaSends({ media_type: 'image', media_base64: bytes, mimetype: 'image/jpeg' });
    expect((await messageWith(id)).event.media).toMatchObject({ data: bytes, status: 'downloaded' });
  });

  test('with a file that cannot be downloaded has an error mark', { tags: 'anywhere' }, async () => {
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'media_gone' });
    const file = {
      media_type: 'image',
      media_base64: Buffer.from('a picture').toString('base64'),
      mimetype: 'image/jpeg',
    };
    const lost = await messageWith(await adaSends({ ...file, caption: 'Lost' }));
    expect(lost.event).toMatchObject({ text: 'Lost', media: { data: '', status: 'error' } });
    const next = await messageWith(await adaSends(file));
    expect(next.event.media).toMatchObject({ data: file.media_base64, status: 'downloaded' });
  });

  test('with a place', { tags: 'anywhere' }, async () => {
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

  test('with a poll', { tags: 'anywhere' }, async () => {
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

  test('that is a reply or a reaction has the id of its target', { tags: 'anywhere' }, async () => {
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

  test('that is an edit, a deletion or several contact cards is marked, with the type `other`', {
    tags: 'anywhere',
  }, async () => {
    const target = await adaSends({ text: 'Teh end' });
    const edit = await adaSends({ type: 'edit', edit_message_id: target, text: 'The end' });
    expect((await messageWith(edit)).event).toMatchObject({
      type: 'other',
      text: 'The end',
      edited_message_id: target,
    });
    const revoke = await adaSends({ type: 'revoke', revoked_message_id: target, revoked_from_me: true });
    expect((await messageWith(revoke)).event).toMatchObject({
      type: 'other',
      text: '',
      revoked_message_id: target,
    });
    const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben\nTEL;waid=15550002002:+1 555 000 2002\nEND:VCARD';
    const card = await adaSends({ type: 'contact', display_name: 'Ben', vcard });
    expect((await messageWith(card)).event).toMatchObject({
      type: 'other',
      text: 'Ben',
      contacts: [{ name: 'Ben', phones: ['15550002002'], vcard }],
    });
  });

  test('has its marks: mentions, forwarded, view once, live, the timer of its chat', {
    tags: 'anywhere',
  }, async () => {
    const text = await messageWith(await adaSends({ text: '@you', forwarded: true, mentions: [me.phone] }));
    expect(text.event).toMatchObject({ forwarded: true, mentions: [expect.stringMatching(/@/)] });
    const picture = { media_base64: Buffer.from('a picture').toString('base64'), mimetype: 'image/jpeg' };
    const once = await adaSends({ media_type: 'image', ...picture, view_once: true });
    const hidden = { type: 'other', view_once: true, unavailable: 'view_once' };
    expect((await messageWith(once)).event).toMatchObject(hidden);
    const live = await adaSends({ type: 'location', latitude: 52.5, longitude: 13.4, live: true });
    expect((await messageWith(live)).event).toMatchObject({
      type: 'location',
      location: { latitude: 52.5, longitude: 13.4, live: true },
    });
    const timer = await adaSends({ type: 'disappearing', disappearing_timer: '24h' });
    expect((await messageWith(timer)).event).toMatchObject({ type: 'other', ephemeral_seconds: 86_400 });
    const brief = await adaSends({ text: 'Soon gone' });
    expect((await messageWith(brief)).event).toMatchObject({ text: 'Soon gone', ephemeral_seconds: 86_400 });
    await adaSends({ type: 'disappearing', disappearing_timer: 'off' });
  });

  test('in a group has the group, and its sender by the address that hides the number', {
    tags: 'anywhere',
  }, async () => {
    const { jid } = await adas<Group>('/groups', { name: 'Lunch', participants: [me.jid] });
    const id = await adaSends({ text: 'Hello all' }, jid);
    expect((await messageWith(id)).event).toMatchObject({
      is_group: true,
      chat_jid: jid,
      sender_jid: ada.lid,
      sender_phone: ada.jid,
    });
  });

  test("is marked as broadcast when it is a contact's story", { tags: 'anywhere' }, async () => {
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

  test('that answers a button has its id', { tags: 'anywhere' }, async () => {
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
  test('has events when it is sent, delivered and read, all under the key of its send', async () => {
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
      message_id: id,
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

  describe.each([
    ['the network never acknowledges', { fault: 'no_ack', count: 5 }],
    ['the network acknowledges late', { fault: 'slow', count: 1, ms: 15_000 }],
  ])('that %s', (_how, fault) => {
    test('is published as sent before delivered and read, and never as failed, also when the number is unlinked', async () => {
      const own = await createWebhookHarness(gateway);
      await gateway.sandbox('POST', '/faults', { session_id: own.me.sessionId, ...fault });
      const { id } = await own.send({ to: own.ada.phone, text: 'Ready' });
      const receipt = (type: string) => own.receiver.next('receipt', (event) => event.receipt_type === type);
      await receipt('delivered');
      await own.adas('/receipts', { message_id: id, type: 'read' });
      await receipt('read');
      expect((await own.me.on('DELETE', '')).status).toBe(204);
      await own.receiver.next('connection', ({ event }) => event === 'logged_out');
      const log = `/webhooks/${own.webhook.id}/deliveries?limit=100`;
      const { body } = await own.me.call<{ deliveries: { event: PublicEvent }[] }>('GET', log);
      const statuses = body.deliveries
        .map(({ event }) => event)
        .flatMap((event) =>
          event.kind === 'status' ? [event.status] : event.kind === 'receipt' ? [event.receipt_type] : [],
        );
      expect(statuses.toReversed()).toEqual(['sent', 'delivered', 'read']);
      expect(await own.me.call('GET', `/messages/${id}`)).toMatchObject({ body: { status: 'read' } });
      own.receiver.close();
    });
  });

  test('has an event when it is played', { tags: 'anywhere' }, async () => {
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

  test.each([
    [463, 'The network does not let this number start new chats.'],
    [479, 'The network does not accept this message.'],
    // Last: new chats of the number wait after it.
    [475, 'The number has used up its new chats for now.'],
  ])('has the reason of a failure: %i', { tags: 'anywhere' }, async (code, detail) => {
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'send_permanent', code });
    const { id, key } = await send({ to: ada.phone, text: 'Lost' });
    const { event } = await receiver.next('status', ({ message_id }) => message_id === id);
    expect(event).toMatchObject({ status: 'failed', reason: 'SEND_FAILED', detail, request_id: key });
    expect(event).not.toHaveProperty('network_message_id');
  });
});
