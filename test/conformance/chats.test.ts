import { beforeAll, describe, expect, test, vi } from 'vitest';
import { PICTURE } from './file-server.ts';
import { type LinkedNumber, linkedNumber, type Someone, someone, WATCHING } from './numbers.ts';
import { startReceiver } from './receiver.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
let me: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway, { name: 'Ada' })]);
  // The app-state key arrives from the phone a moment after the link.
  await vi.waitFor(async () => expect((await act('/pin', { on: false })).status).toBe(200), WATCHING);
});

const of = (path: string): string => `/chats/${encodeURIComponent(ada.jid)}${path}`;
const act = (path: string, body?: object) => me.on('POST', of(path), body);

/** The chat on the owner's phone. */
async function shown(): Promise<object | undefined> {
  const { chats } = await gateway.sandbox<{ chats: { chat_jid: string }[] }>(
    'GET',
    `/phones/${me.phone}/chats`,
  );
  return chats.find(({ chat_jid }) => chat_jid === ada.jid);
}

/** A message of Ada on the owner's phone; undefined when it is not there. */
async function bubble(id: string): Promise<object | undefined> {
  const { messages } = await gateway.sandbox<{ messages: { message_id: string }[] }>(
    'GET',
    `/phones/${me.phone}/messages`,
  );
  return messages.find(({ message_id }) => message_id === id);
}

const adaSends = async (text: string): Promise<string> => {
  const body = { to: me.phone, text };
  const sent = await gateway.sandbox<{ message_id: string }>('POST', `/phones/${ada.phone}/messages`, body);
  return sent.message_id;
};

describe('a chat', () => {
  test('is read, unread, archived, pinned and muted on the owner’s phone', async () => {
    expect(await act('/unread')).toMatchObject({ status: 200, body: { jid: ada.jid, read: false } });
    expect(await act('/archive', {})).toMatchObject({ status: 200, body: { archived: true } });
    expect(await act('/pin', {})).toMatchObject({ status: 200, body: { pinned: true } });
    const until_unix = Math.floor(Date.now() / 1_000) + 3_600;
    expect(await act('/mute', { until_unix })).toMatchObject({ body: { muted: true, until_unix } });
    expect(await shown()).toMatchObject({
      unread: true,
      archived: true,
      pinned: true,
      muted_until_unix: until_unix,
    });
    expect(await act('/read')).toMatchObject({ body: { read: true } });
    expect(await act('/archive', { on: false })).toMatchObject({ body: { archived: false } });
    expect((await act('/mute', {})).body).toEqual({ jid: ada.jid, muted: true });
    expect(await shown()).toMatchObject({ unread: false, archived: false, muted_until_unix: -1 });
    expect((await act('/mute', { on: false })).body).toEqual({ jid: ada.jid, muted: false });
    expect(await shown()).toMatchObject({ muted_until_unix: 0 });
  });

  test('shows its sender that a message was read', async () => {
    const id = await adaSends('Seen?');
    await vi.waitFor(async () => expect(await bubble(id)).toBeDefined(), WATCHING);
    expect((await act(`/messages/${id}/read`, {})).status).toBe(204);
    await vi.waitFor(async () => {
      const { messages } = await gateway.sandbox<{ messages: { message_id: string; receipts: object[] }[] }>(
        'GET',
        `/phones/${ada.phone}/messages`,
      );
      const sent = messages.find(({ message_id }) => message_id === id);
      expect(sent?.receipts).toContainEqual(expect.objectContaining({ type: 'read' }));
    }, WATCHING);
    const inGroup = await me.on(
      'POST',
      `/chats/${encodeURIComponent('120363041234567890@g.us')}/messages/${id}/read`,
      {},
    );
    expect(inGroup).toMatchObject({ status: 400, body: { error: 'participant is required in a group' } });
  });

  test('has its messages starred and deleted, and is deleted itself, for the owner alone', async () => {
    const [first, second] = [await adaSends('Keep'), await adaSends('Drop')];
    const star = { from_me: false, on: true };
    expect(await act(`/messages/${first}/star`, star)).toMatchObject({
      status: 200,
      body: { message_id: first, starred: true },
    });
    expect(await bubble(first)).toMatchObject({ starred: true });
    expect((await me.on('DELETE', of(`/messages/${second}?from_me=false`))).status).toBe(204);
    expect(await bubble(second)).toBeUndefined();
    expect((await me.on('DELETE', of(''))).status).toBe(204);
    expect(await bubble(first)).toBeUndefined();
  });

  test('refuses invalid requests with one sentence', async () => {
    expect(await act('/mute', { until_unix: 'soon' })).toMatchObject({ status: 400 });
    expect(await act('/messages/M1/star', {})).toMatchObject({
      status: 400,
      body: { error: 'from_me is required' },
    });
    expect(await me.on('POST', '/chats/nonsense/read')).toMatchObject({ status: 400 });
  });
});

test('changes the name and picture of the number', async () => {
  const receiver = await startReceiver();
  receiver.files.set('/me.png', Buffer.from(PICTURE));
  expect(await me.on('POST', '/profile/name', { name: 'Harbour' })).toMatchObject({
    status: 200,
    body: { name: 'Harbour' },
  });
  const set = await me.on<{ picture_id: string }>('POST', '/profile/photo', {
    image_url: `${receiver.url}/me.png`,
  });
  expect(set.status).toBe(200);
  expect(await gateway.sandbox('GET', `/phones/${me.phone}`)).toMatchObject({
    name: 'Harbour',
    picture_id: set.body.picture_id,
  });
  expect(await me.on('POST', '/profile/photo', { image_url: '' })).toMatchObject({
    body: { picture_id: '' },
  });
  receiver.close();
});
