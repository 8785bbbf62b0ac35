import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedGateway } from './shared-gateway.ts';
import { createWebhookHarness } from './webhook-harness.ts';

const { me, ada, receiver, webhook, adas, send } = await createWebhookHarness(sharedGateway());
afterAll(() => receiver.close());

describe('the URL for events gets', () => {
  test('votes, with the chosen options and their hashes', async () => {
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
      selected_options: ['yes'],
      timestamp_unix: expect.any(Number),
    });
    await adas('/votes', { poll_message_id: id, options: [] });
    await receiver.next('poll_vote', ({ selected_hashes }) => selected_hashes.length === 0);
  });

  test('typing, which is not stored in the history', async () => {
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

  test('presence, of subscribed contacts', async () => {
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

  test('posts of channels that the number follows', { tags: 'anywhere' }, async () => {
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
