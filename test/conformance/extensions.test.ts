import type { ChatPage, Group, GroupInvite } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { someone, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';
import { createWebhookHarness } from './webhook-harness.ts';

const gateway = sharedGateway();
const { me, ada, receiver, webhook, adas, adaSends, send } = await createWebhookHarness(gateway);
afterAll(() => receiver.close());

const { lid: myLid } = await gateway.sandbox<{ lid: string }>('GET', `/phones/${me.phone}`);

const mine = <T>(path: string, body: object): Promise<T> =>
  gateway.sandbox('POST', `/phones/${me.phone}${path}`, body);
const ownerSends = async (message: object, to = ada.phone): Promise<string> =>
  (await mine<{ message_id: string }>('/messages', { to, ...message })).message_id;
/** By the change of a chat, and its name in the event. */
const DONE_WITH_CHATS = {
  ...{ unread: 'unread', read: 'read', archive: 'archived', pin: 'pinned', mute: 'muted', delete: 'deleted' },
};
const messageWith = (id: string) => receiver.next('message', ({ message_id }) => message_id === id);

describe('a webhook without extensions', () => {
  test('gets no events about own messages, groups and contacts', async () => {
    const own = await ownerSends({ text: 'By hand' });
    const { id: sent } = await send({ to: ada.phone, text: 'By the API' });
    await adas<Group>('/groups', { name: 'Quiet', participants: [me.jid] });
    await receiver.next('status', ({ message_id }) => message_id === sent);
    // Messages of one chat come in order, so earlier events would have come by now.
    await messageWith(await adaSends({ text: 'Hello' }));
    const events = receiver.deliveries.map(({ event }) => event);
    expect(events.filter(({ kind }) => kind === 'group' || kind === 'contact')).toEqual([]);
    expect(events.flatMap((event) => (event.kind === 'message' ? event.message_id : []))).not.toContain(own);
    expect(events.flatMap((event) => (event.kind === 'message' ? event.message_id : []))).not.toContain(sent);
  });
});

describe('a webhook with extensions', () => {
  beforeAll(async () => {
    const extensions = ['own_messages', 'groups', 'chats', 'contacts'];
    const { status, body } = await me.call('PUT', `/webhooks/${webhook.id}`, { extensions });
    expect({ status, body }).toMatchObject({ status: 200, body: { extensions } });
  });

  test('gets the owner’s messages from the phone, at the URL for messages', async () => {
    const id = await ownerSends({ text: 'I take over' });
    const { event, path } = await messageWith(id);
    expect(path).toBe('/messages');
    expect(event).toEqual({
      kind: 'message',
      message_id: id,
      session_id: me.sessionId,
      from_me: true,
      sender_jid: me.jid,
      sender_phone: me.jid,
      sender_lid: myLid,
      sender_name: expect.any(String),
      chat_jid: ada.jid,
      is_group: false,
      type: 'text',
      text: 'I take over',
      timestamp_unix: expect.any(Number),
      broadcast: false,
    });
    const edit = await ownerSends({ type: 'edit', edit_message_id: id, text: 'I took over' });
    expect((await messageWith(edit)).event).toMatchObject({ from_me: true, edited_message_id: id });
    expect((await messageWith(await adaSends({ text: 'Fine' }))).event).not.toHaveProperty('from_me');
  });

  test('gets the owner’s changes of chats on the phone, and the stored history follows', async () => {
    expect((await me.on('PUT', '/history', { enabled: true })).status).toBe(200);
    await messageWith(await adaSends({ text: 'To be put away' }));
    const chat = encodeURIComponent(ada.jid);
    const chatWith = (word: string) => receiver.next('chat', ({ event }) => event === word);
    const kept = async () => {
      const { body } = await me.on<ChatPage>('GET', '/chats');
      return body.chats.find(({ jid }) => jid === ada.jid);
    };
    for (const [action, word] of Object.entries(DONE_WITH_CHATS)) {
      await mine(`/chats/${chat}/${action}`, action === 'mute' ? { until_unix: 4_102_444_800 } : {});
      const { event, path } = await chatWith(word);
      expect(path).toBe('/events');
      expect(event).toMatchObject({ kind: 'chat', session_id: me.sessionId, chat_jid: ada.jid });
    }
    expect((await chatWith('muted')).event).toMatchObject({ muted_until_unix: 4_102_444_800 });
    const flags = { unread: 0, archived: true, pinned: true, muted: true, messages: 0 };
    await vi.waitFor(async () => expect(await kept()).toMatchObject(flags), WATCHING);
    // Changes by the API go to other devices of the owner, not to the caller.
    expect((await me.on('POST', `/chats/${chat}/pin`, { on: false })).status).toBe(200);
    await mine(`/chats/${chat}/archive`, { on: false });
    await chatWith('unarchived');
    const words = receiver.deliveries.flatMap(({ event }) => (event.kind === 'chat' ? event.event : []));
    expect(words).toEqual([...Object.values(DONE_WITH_CHATS), 'unarchived']);
    await me.on('PUT', '/history', { enabled: false });
  });

  test('gets messages sent through the API, under the key of their send', async () => {
    const { id, key } = await send({ to: ada.phone, text: 'By the API' });
    const { event, path } = await messageWith(id);
    expect(path).toBe('/messages');
    expect(event).toMatchObject({
      from_me: true,
      request_id: key,
      sender_jid: me.jid,
      chat_jid: ada.jid,
      type: 'text',
      text: 'By the API',
    });
    await adas('/receipts', { message_id: id, type: 'read' });
    await receiver.next('receipt', (receipt) => receipt.message_id === id && receipt.receipt_type === 'read');
    const echoes = receiver.deliveries.filter(
      (delivery) => delivery.event.kind === 'message' && delivery.event.message_id === id,
    );
    expect(echoes).toHaveLength(1);
  });

  test('gets changes of groups, at the URL for events', async () => {
    const group = await adas<Group>('/groups', { name: 'Lunch', participants: [me.jid] });
    const changed = (what: string) =>
      receiver.next('group', ({ chat_jid, event }) => chat_jid === group.jid && event === what);
    const joined = await changed('joined');
    expect(joined.path).toBe('/events');
    expect(joined.event).toEqual({
      kind: 'group',
      session_id: me.sessionId,
      chat_jid: group.jid,
      event: 'joined',
      by_jid: ada.lid,
      by_phone: ada.jid,
      participants: [{ jid: myLid, phone_jid: me.jid }],
      subject: 'Lunch',
      timestamp_unix: expect.any(Number),
    });
    await adas(`/groups/${group.jid}/name`, { name: 'Dinner' });
    expect((await changed('subject')).event).toMatchObject({ subject: 'Dinner' });
    await adas(`/groups/${group.jid}/participants`, { participants: [me.jid], action: 'promote' });
    expect((await changed('promoted')).event).toMatchObject({ participants: [{ jid: myLid }] });
    await adas(`/groups/${group.jid}/settings`, { announce: true });
    expect((await changed('settings')).event).toMatchObject({ announce: true });
  });

  test('gets who asks to join a group with approval, and that the number itself is let in', async () => {
    const { jid } = await adas<Group>('/groups', { name: 'Closed', participants: [me.jid] });
    const changed = (what: string) =>
      receiver.next('group', ({ chat_jid, event }) => chat_jid === jid && event === what);
    const answered = (participant: string, action: 'approve' | 'reject') =>
      adas(`/groups/${jid}/requests`, { participants: [participant], action });
    await adas(`/groups/${jid}/participants`, { participants: [me.jid], action: 'promote' });
    await adas(`/groups/${jid}/settings`, { join_approval: true });
    const group = `/groups/${encodeURIComponent(jid)}`;
    const { code: link } = (await me.on<GroupInvite>('GET', `${group}/invite-link`)).body;

    const ben = await someone(gateway, { name: 'Ben' });
    await gateway.sandbox('POST', `/phones/${ben.phone}/groups/join`, { link });
    const participants = [{ phone_jid: ben.jid }];
    expect((await changed('join_requested')).event).toMatchObject({ by_phone: ben.jid, participants });
    await answered(ben.jid, 'reject');
    expect((await changed('join_request_withdrawn')).event).toMatchObject({ participants });

    await me.on('POST', `${group}/leave`);
    expect((await me.on('POST', '/groups/join', { link })).status).toBe(202);
    await answered(me.jid, 'approve');
    expect((await changed('added')).event).toMatchObject({
      by_phone: ada.jid,
      participants: [{ phone_jid: me.jid }],
    });
  });

  test('gets changes of contacts’ profiles', async () => {
    await mine('/contacts', { phone: ada.phone, first_name: 'Ada', full_name: 'Ada L' });
    await gateway.sandbox('PUT', `/phones/${ada.phone}/about`, { about: 'At sea' });
    const { event, path } = await receiver.next('contact');
    expect(path).toBe('/events');
    expect(event).toEqual({
      kind: 'contact',
      session_id: me.sessionId,
      contact_jid: ada.jid,
      event: 'about',
      about: 'At sea',
      timestamp_unix: expect.any(Number),
    });
  });

  test('gets one event when the hidden number of a contact becomes known, and the chat keeps its name', async () => {
    const username = `shy_${me.phone}`;
    const shy = await someone(gateway, { username, username_key: '1234', hides_phone: true });
    const { id } = await send({ to: `@${username}:1234`, text: 'Hello' });
    const { event: sent } = await messageWith(id);
    expect(sent).toMatchObject({ from_me: true, chat_jid: shy.lid });
    const answers = async (text: string) => {
      const path = `/phones/${shy.phone}/messages`;
      const { message_id } = await gateway.sandbox<{ message_id: string }>('POST', path, {
        to: me.phone,
        text,
      });
      return (await messageWith(message_id)).event;
    };
    const stable = { sender_jid: shy.lid, sender_lid: shy.lid, chat_jid: shy.lid, sender_username: username };
    const hidden = await answers('Who is it?');
    expect(hidden).toMatchObject(stable);
    expect(hidden).not.toHaveProperty('sender_phone');

    await gateway.sandbox('PUT', `/phones/${shy.phone}/identity`, { username });
    expect(await answers('Here I am')).toMatchObject({ ...stable, sender_phone: shy.jid });
    const { event, path } = await receiver.next('contact_linked', ({ lid }) => lid === shy.lid);
    expect(path).toBe('/events');
    expect(event).toMatchObject({ session_id: me.sessionId, lid: shy.lid, jid: shy.jid });
    await answers('Still me');
    const events = receiver.deliveries.filter(({ event }) => event.kind === 'contact_linked');
    expect(events).toHaveLength(1);
  });

  test('finds the same events in the log', async () => {
    const page = `/events?session_id=${encodeURIComponent(me.sessionId)}&limit=100`;
    const kinds = async (more: string) => {
      const { body } = await me.call<{ events: { event: { kind: string; from_me?: boolean } }[] }>(
        'GET',
        `${page}${more}`,
      );
      return body.events.map(({ event }) => (event.from_me ? 'own message' : event.kind));
    };
    const plain = await kinds('');
    expect(plain).not.toContain('group');
    expect(plain).not.toContain('own message');
    expect(await kinds('&extensions=own_messages,groups')).toEqual(
      expect.arrayContaining(['group', 'own message', 'message']),
    );
  });
});
