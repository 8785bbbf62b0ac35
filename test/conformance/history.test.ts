import type {
  ChatPage,
  History,
  KeptMessage,
  KeptMessageDetail,
  KeptMessagePage,
  PublicEvent,
} from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type LinkedNumber,
  link,
  linkedNumber,
  register,
  type Someone,
  someone,
  WATCHING,
} from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
let me: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway, { name: 'Ada', auto_read: true })]);
});

const chat = () => `/chats/${encodeURIComponent(ada.jid)}`;
const phoneSends = async (phone: string, to: string, body: object): Promise<string> => {
  const path = `/phones/${phone}/messages`;
  return (await gateway.sandbox<{ message_id: string }>('POST', path, { to, ...body })).message_id;
};
const adaSends = (body: object) => phoneSends(ada.phone, me.phone, body);
let sends = 0;
const send = async (body: object): Promise<string> => {
  const headers = { 'Idempotency-Key': `history-${me.phone}-${++sends}` };
  const full = { session_id: me.sessionId, to: ada.phone, ...body };
  const { status, body: sent } = await me.call<{ message_id: string }>('POST', '/messages', full, headers);
  expect(status).toBe(202);
  return sent.message_id;
};
const kept = async (id: string): Promise<KeptMessageDetail> => {
  const { status, body } = await me.on<KeptMessageDetail>('GET', `/messages/${id}`);
  expect(status).toBe(200);
  return body;
};
const conversation = async (query = ''): Promise<KeptMessage[]> =>
  (await me.on<KeptMessagePage>('GET', `${chat()}/messages${query}`)).body.messages;

describe('the history of a number', () => {
  test('is off until it is switched on', async () => {
    const off = { phone: me.phone, enabled: false, messages: 0 };
    expect(await me.on('GET', '/history')).toMatchObject({ status: 200, body: off });
    const refusal = {
      status: 409,
      body: { error: expect.stringContaining('does not keep its conversations') },
    };
    for (const path of ['/chats', `${chat()}/messages`, '/messages/M1'])
      expect(await me.on('GET', path)).toMatchObject(refusal);
    expect(await me.on('DELETE', `${chat()}/history`)).toMatchObject(refusal);
    expect(await me.on('PUT', '/history', { enabled: true, days: 0 })).toMatchObject({ status: 400 });
    const on = { enabled: true, days: 90, media: true };
    expect(await me.on('PUT', '/history', { enabled: true, days: 90 })).toMatchObject({
      status: 200,
      body: on,
    });
    const { slotId } = me;
    expect(await gateway.operator<History>('GET', `/devices/${slotId}/history`)).toMatchObject(on);
  });

  test('contains messages received, typed on the phone and sent, with their outcomes', async () => {
    const asked = await adaSends({ text: 'Is my order ready?' });
    await vi.waitFor(
      async () => expect(await kept(asked)).toMatchObject({ text: 'Is my order ready?' }),
      WATCHING,
    );
    const typed = await phoneSends(me.phone, ada.phone, { text: 'One moment' });
    await vi.waitFor(async () => expect(await kept(typed)).toMatchObject({ from_me: true }), WATCHING);
    const answered = await send({ text: 'It si' });
    await vi.waitFor(async () => expect(await kept(answered)).toMatchObject({ status: 'read' }), WATCHING);
    const edit = await send({ type: 'edit', edit_message_id: answered, text: 'It is' });
    await adaSends({ type: 'reaction', reacted_message_id: answered, emoji: '👍' });
    await vi.waitFor(async () => {
      const detail = await kept(answered);
      expect(detail).toMatchObject({ text: 'It is', reactions: [{ jid: ada.jid, emoji: '👍' }] });
      expect(detail.edits?.map(({ text }) => text)).toEqual(['It si', 'It is']);
      expect(detail.receipts).toContainEqual(expect.objectContaining({ jid: ada.jid, receipt_type: 'read' }));
    }, WATCHING);
    expect((await conversation()).map(({ message_id }) => message_id)).toEqual([answered, typed, asked]);
    expect((await me.on('GET', `/messages/${edit}`)).status).toBe(404);
    expect((await conversation('?q=ORDER')).map(({ message_id }) => message_id)).toEqual([asked]);
    const first = await me.on<KeptMessagePage>('GET', `${chat()}/messages?limit=2`);
    const rest = await conversation(`?before=${first.body.next_cursor}`);
    expect(rest.map(({ message_id }) => message_id)).toEqual([asked]);
  });

  test('shows unread chats, and drops messages deleted for everyone', { tags: 'anywhere' }, async () => {
    const regretted = await adaSends({ text: 'Regretted' });
    const shown = async () =>
      (await me.on<ChatPage>('GET', '/chats')).body.chats.find(({ jid }) => jid === ada.jid);
    await vi.waitFor(async () => {
      expect(await shown()).toMatchObject({ unread: 1, last_message: { text: 'Regretted' } });
    }, WATCHING);
    await adaSends({ type: 'revoke', revoked_message_id: regretted, revoked_from_me: true });
    await vi.waitFor(async () => {
      expect(await kept(regretted)).toMatchObject({ text: '', revoked_at_unix: expect.any(Number) });
    }, WATCHING);
    // The app-state key arrives from the phone a moment after the link.
    await vi.waitFor(async () => expect((await me.on('POST', `${chat()}/read`)).status).toBe(200), WATCHING);
    expect((await me.on('POST', `${chat()}/pin`, {})).status).toBe(200);
    expect(await shown()).toMatchObject({ unread: 0, pinned: true });
  });

  test('is deleted chat by chat, and as a whole when it is switched off', async () => {
    expect((await me.on('DELETE', `${chat()}/history`)).status).toBe(204);
    expect(await conversation()).toEqual([]);
    const id = await adaSends({ text: 'Once more' });
    await vi.waitFor(async () => expect(await kept(id)).toMatchObject({ text: 'Once more' }), WATCHING);
    expect(await me.on('PUT', '/history', { enabled: false })).toMatchObject({ body: { enabled: false } });
    expect((await me.on('GET', `/messages/${id}`)).status).toBe(409);
    await me.on('PUT', '/history', { enabled: true });
    expect((await me.on('GET', `/messages/${id}`)).status).toBe(404);
  });
});

test('finds, marks and deletes a chat by both addresses of a contact whose number became known later', {
  tags: 'anywhere',
}, async () => {
  const username = `late_${me.phone}`;
  const late = await someone(gateway, { username, hides_phone: true });
  await phoneSends(late.phone, me.phone, { text: 'Hidden' });
  const chatBy = (jid: string) => `/chats/${encodeURIComponent(jid)}`;
  const textsBy = async (jid: string): Promise<string[]> => {
    const { body } = await me.on<KeptMessagePage>('GET', `${chatBy(jid)}/messages`);
    return body.messages.map(({ text }) => text);
  };
  await vi.waitFor(async () => expect(await textsBy(late.lid)).toEqual(['Hidden']), WATCHING);
  await gateway.sandbox('PUT', `/phones/${late.phone}/identity`, { username });
  await phoneSends(late.phone, me.phone, { text: 'Shown' });
  const both = ['Shown', 'Hidden'];
  await vi.waitFor(async () => expect(await textsBy(late.lid)).toEqual(both), WATCHING);
  expect(await textsBy(late.jid)).toEqual(both);

  expect(await me.on('POST', `${chatBy(late.jid)}/archive`, {})).toMatchObject({ status: 200 });
  const { chats } = (await me.on<ChatPage>('GET', '/chats?limit=100')).body;
  expect(chats.filter(({ jid }) => [late.jid, late.lid].includes(jid))).toMatchObject([
    { jid: late.lid, archived: true },
  ]);
  expect(await me.on('DELETE', `${chatBy(late.jid)}/history`)).toMatchObject({ status: 204 });
  expect(await textsBy(late.lid)).toEqual([]);
});

describe('the past of a number', () => {
  test('is imported at the link of a number with history, and reported as progress to webhooks with the extension', async () => {
    const { phone } = await someone(gateway, { name: 'Parley' });
    for (const text of ['From before', 'And another']) await phoneSends(ada.phone, phone, { text });
    const own = await phoneSends(phone, ada.phone, { text: 'My answer' });
    const number = await register(gateway, 'max', phone);
    await gateway.operator('PUT', `/devices/${number.slotId}/history`, { enabled: true });
    const linked = await link(number);
    await vi.waitFor(async () => {
      const { body } = await linked.on<History>('GET', '/history');
      expect(body).toMatchObject({
        messages: 3,
        chats: 1,
        import: { state: 'done', messages: 3, progress: 100 },
      });
    }, WATCHING);
    const { body } = await linked.on<KeptMessagePage>('GET', `${chat()}/messages`);
    expect(body.messages.map(({ text }) => text)).toEqual(['My answer', 'And another', 'From before']);
    expect(body.messages[0]).toMatchObject({ message_id: own, from_me: true, status: 'read' });

    const eventsOf = async (asked: string, kind: PublicEvent['kind']) => {
      const page = await linked.call<{ events: { event: PublicEvent }[] }>(
        'GET',
        `/events?limit=100${asked}`,
      );
      return page.body.events.flatMap(({ event }) => (event.kind === kind ? event : []));
    };
    const done = { event: 'done', sync_type: 'initial', session_id: linked.sessionId, messages: 3, chats: 1 };
    // It is shown when no older event can come any more.
    const extended = '&extensions=history';
    await vi.waitFor(async () => expect(await eventsOf(extended, 'history')).toMatchObject([done]), WATCHING);
    expect(await eventsOf(extended, 'message')).toEqual([]);
    expect(await eventsOf('', 'history')).toEqual([]);
  });
});
