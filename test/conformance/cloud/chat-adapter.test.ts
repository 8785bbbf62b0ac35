import { createWhatsAppAdapter } from '@chat-adapter/whatsapp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PICTURE } from '../file-server.ts';
import { WATCHING } from '../numbers.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { type CloudReceiver, type Stage, startCloudReceiver, takeStage, VERSION } from './stage.ts';

const gateway = sharedGateway();
const APP_SECRET = 'shared';

const adapterOf = ({ token, baseUrl, phoneNumberId }: Stage) =>
  createWhatsAppAdapter({
    accessToken: token,
    apiUrl: baseUrl,
    apiVersion: VERSION,
    appSecret: APP_SECRET,
    phoneNumberId,
    verifyToken: 'known to both',
    userName: 'bot',
    logger: { debug() {}, info() {}, warn() {}, error() {}, child: () => undefined } as never,
  });

/** The part of a chat that the adapter needs: its state, and its messages. */
function fakeChat() {
  const memory = new Map<string, unknown>();
  const received: { kind: string; what: Record<string, unknown> }[] = [];
  const state = {
    get: async (key: string) => memory.get(key) ?? null,
    set: async (key: string, value: unknown) => void memory.set(key, value),
    setIfNotExists: async (key: string, value: unknown) =>
      !memory.has(key) && Boolean(memory.set(key, value)),
    delete: async (key: string) => void memory.delete(key),
    getList: async () => [],
    acquireLock: async () => ({ threadId: '', token: '', expiresAt: 0 }),
    releaseLock: async () => {},
  };
  return {
    received,
    getState: () => state,
    processMessage: (_adapter: unknown, _thread: string, message: Record<string, unknown>) =>
      void received.push({ kind: 'message', what: message }),
    processReaction: (event: Record<string, unknown>) =>
      void received.push({ kind: 'reaction', what: event }),
    processAction: (event: Record<string, unknown>) => void received.push({ kind: 'action', what: event }),
  };
}

describe('@chat-adapter/whatsapp', () => {
  let stage: Stage;
  let receiver: CloudReceiver;
  let adapter: ReturnType<typeof adapterOf>;
  const chat = fakeChat();

  beforeAll(async () => {
    [stage, receiver] = await Promise.all([takeStage(gateway), startCloudReceiver()]);
    const webhook_configuration = {
      override_callback_uri: receiver.url,
      verify_token: receiver.verifyToken,
      app_secret: APP_SECRET,
    };
    await stage.ask('POST', `/${stage.phoneNumberId}`, { webhook_configuration });
    adapter = adapterOf(stage);
    await adapter.initialize(chat as never);
  });
  afterAll(() => receiver.close());

  const hand = async ({ body, headers }: Awaited<ReturnType<CloudReceiver['next']>>): Promise<number> => {
    const signed = { 'x-hub-signature-256': String(headers['x-hub-signature-256']) };
    const request = new Request('http://bot/webhook', { method: 'POST', body, headers: signed });
    return (await adapter.handleWebhook(request)).status;
  };
  const thread = () =>
    adapter.encodeThreadId({ phoneNumberId: stage.phoneNumberId, userWaId: stage.ada.phone });

  test('verifies the webhook, posts text, files and buttons, reacts, marks as read', async () => {
    const question = `${receiver.url}?hub.mode=subscribe&hub.verify_token=known+to+both&hub.challenge=42`;
    expect(await (await adapter.handleWebhook(new Request(question))).text()).toBe('42');
    await stage.says({ text: 'Hello' });
    const incoming = await receiver.message('text');
    expect(await hand(incoming)).toBe(200);
    expect(chat.received).toMatchObject([
      { kind: 'message', what: { text: 'Hello', author: { fullName: 'Ada' } } },
    ]);
    const id = incoming.value.messages?.[0].id ?? '';
    await adapter.markAsRead(thread(), id);
    await adapter.addReaction(thread(), id, '👍' as never);
    await vi.waitFor(async () => {
      const { messages } = await gateway.sandbox<{ messages: Record<string, unknown>[] }>(
        'GET',
        `/phones/${stage.ada.phone}/messages`,
      );
      const hello = messages.find(({ text }) => text === 'Hello');
      expect(hello?.receipts).toContainEqual(expect.objectContaining({ type: 'read' }));
      expect(hello?.reactions).toContainEqual(expect.objectContaining({ emoji: '👍' }));
    }, WATCHING);
    await adapter.postMessage(thread(), 'Good day');
    await stage.seen('text', { text: 'Good day' });
    const files = [{ data: PICTURE, filename: 'a.png', mimeType: 'image/png' }];
    await adapter.postMessage(thread(), { raw: 'Look', files } as never);
    await stage.seen('image');
    const card = {
      type: 'card',
      title: 'Order',
      children: [{ type: 'actions', children: [{ type: 'button', id: 'y', label: 'Yes' }] }],
    };
    await adapter.postMessage(thread(), { card } as never);
    await stage.seen('interactive');
  });

  test('receives answers to its buttons, and reactions to its messages', async () => {
    const bubble = await stage.seen('interactive');
    const { message_id, interactive } = bubble as {
      message_id: string;
      interactive: { buttons: [{ id: string }] };
    };
    const [{ id }] = interactive.buttons;
    await gateway.sandbox('POST', `/phones/${stage.ada.phone}/button-presses`, { message_id, id });
    expect(await hand(await receiver.message('interactive'))).toBe(200);
    await stage.says({
      type: 'reaction',
      reacted_message_id: message_id,
      emoji: '❤️',
      reacted_participant: stage.me.jid,
    });
    const reaction = await receiver.message('reaction');
    expect(await hand(reaction)).toBe(200);
    expect(chat.received.map(({ kind }) => kind)).toEqual(['message', 'action', 'reaction']);
    expect(chat.received[2]?.what.messageId).toBe(
      `wamid.${Buffer.from(`1\n${message_id}`).toString('base64url')}`,
    );
  });

  test('refuses a webhook with a foreign signature', async () => {
    const { body } = await receiver.message('text');
    const headers = { 'x-hub-signature-256': 'sha256=00' };
    const answer = await adapter.handleWebhook(new Request('http://bot/', { method: 'POST', body, headers }));
    expect(answer.status).toBe(401);
  });
});
