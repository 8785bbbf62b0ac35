import type { ChatPage, Group } from '@parley/contract';
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
/** By what the owner does, and the word for it. */
const DONE_WITH_CHATS = {
  ...{ unread: 'unread', read: 'read', archive: 'archived', pin: 'pinned', mute: 'muted', delete: 'deleted' },
};
const messageWith = (id: string) => receiver.next('message', ({ message_id }) => message_id === id);

describe('whoever asks for nothing', () => {
  test('is told nothing of what the number itself writes, nor of groups and contacts', async () => {
    const own = await ownerSends({ text: 'By hand' });
    const { id: sent } = await send({ to: ada.phone, text: 'By the API' });
    await adas<Group>('/groups', { name: 'Quiet', participants: [me.jid] });
    await receiver.next('status', ({ message_id }) => message_id === sent);
    // Messages of one chat come in order, so what was to be told of it was told before.
    await messageWith(await adaSends({ text: 'Hello' }));
    const told = receiver.deliveries.map(({ event }) => event);
    expect(told.filter(({ kind }) => kind === 'group' || kind === 'contact')).toEqual([]);
    expect(told.flatMap((event) => (event.kind === 'message' ? event.message_id : []))).not.toContain(own);
    expect(told.flatMap((event) => (event.kind === 'message' ? event.message_id : []))).not.toContain(sent);
  });
});

describe('whoever asks', () => {
  beforeAll(async () => {
    const extensions = ['own_messages', 'groups', 'chats', 'contacts'];
    const { status, body } = await me.call('PUT', `/webhooks/${webhook.id}`, { extensions });
    expect({ status, body }).toMatchObject({ status: 200, body: { extensions } });
  });

  test('is told what the owner writes with the phone, at the URL for messages', async () => {
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

  test('is told what the owner does with a chat on the phone, and what the number keeps follows', async () => {
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
    // Other devices of the owner are told of what is done here; the caller knows.
    expect((await me.on('POST', `/chats/${chat}/pin`, { on: false })).status).toBe(200);
    await mine(`/chats/${chat}/archive`, { on: false });
    await chatWith('unarchived');
    const words = receiver.deliveries.flatMap(({ event }) => (event.kind === 'chat' ? event.event : []));
    expect(words).toEqual([...Object.values(DONE_WITH_CHATS), 'unarchived']);
    await me.on('PUT', '/history', { enabled: false });
  });

  test('is told what was sent through the API, under the key of its send', async () => {
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

  test('is told what happens in groups, at the URL for events', async () => {
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

  test('is told what contacts change about themselves', async () => {
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

  test('is told once when the number of somebody becomes known who hid it, and the chat keeps its name', async () => {
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
    const told = receiver.deliveries.filter(({ event }) => event.kind === 'contact_linked');
    expect(told).toHaveLength(1);
  });

  test('can read the same from the log', async () => {
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
