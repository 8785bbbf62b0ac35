import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXPLAINED, SHAPES } from './shapes.fixture.ts';
import { ADA, type Client, startClient } from './testing/client.ts';
import { differences } from './testing/shape.ts';

const GUIDE = new URL('../../../../../../docs/migrating-from-evolution.md', import.meta.url);
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type ShapeName = keyof typeof SHAPES;

describe('the shapes of Evolution 2.3.7', () => {
  let client: Client;
  let { ask, phones, hooksOf, hookUrl, tenant, gateway } = {} as Client;
  const found = new Set<string>();
  const compared = new Set<string>();
  const adaJid = `${ADA}@s.whatsapp.net`;

  beforeAll(async () => {
    client = await startClient();
    ({ ask, phones, hooksOf, hookUrl, tenant, gateway } = client);
  });
  afterAll(() => client.close());

  // Beyond the minute that sends are counted in.
  beforeEach(() => gateway.clock.advance(61_000));

  function compare(name: ShapeName, answer: unknown): void {
    compared.add(name);
    for (const difference of differences(answer, SHAPES[name])) found.add(`${name} ${difference}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of this interface are untyped here
  async function take(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any> {
    const [, area, action] = path.replace(/\?.*$/, '').split('/');
    const answer = await ask(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    compare(`${area}/${action}` as ShapeName, answer.body);
    return answer.body;
  }

  it('match for instances', async () => {
    const webhook = { url: hookUrl, events: [] };
    await take('POST', '/instance/create', { instanceName: 'shop', qrcode: true, webhook });
    const { code } = await take('GET', '/instance/connect/shop');
    await phones('POST', `/${tenant.phone}/scan`, { qr: code });
    await vi.waitFor(async () => {
      const { instance } = await take('GET', '/instance/connectionState/shop');
      expect(instance.state).toBe('open');
    });
    await take('GET', '/instance/fetchInstances');
    await take('POST', '/instance/restart/shop');
    await take('POST', '/instance/setPresence/shop', { presence: 'available' });
    await take('POST', '/settings/set/shop', { rejectCall: false });
    await take('GET', '/settings/find/shop');
    await take('POST', '/webhook/set/shop', { webhook });
    compare('refusal', (await ask('GET', '/instance/connectionState/missing')).body);
    compare('refusal', (await ask('POST', '/message/sendText/shop', {})).body);
  });

  it('match for messages and chats', async () => {
    const to = { number: ADA };
    const sent = await take('POST', '/message/sendText/shop', { ...to, text: 'Hello' });
    const image = { mediatype: 'image', mimetype: 'image/png', media: PIXEL };
    await take('POST', '/message/sendMedia/shop', { ...to, ...image });
    await take('POST', '/message/sendLocation/shop', { ...to, latitude: 53.5, longitude: 9.9 });
    await take('POST', '/message/sendReaction/shop', { key: sent.key, reaction: '👍' });
    const incoming = { to: tenant.phone, media_type: 'image', media_base64: PIXEL, mimetype: 'image/png' };
    const { message_id: id } = await phones('POST', `/${ADA}/messages`, incoming);
    await phones('POST', `/${ADA}/messages`, { to: tenant.phone, text: 'Hi' });
    await vi.waitFor(() => expect(hooksOf('messages.upsert')).toHaveLength(2));
    await take('POST', '/chat/getBase64FromMediaMessage/shop', { message: { key: { id } } });
    await take('POST', '/chat/findMessages/shop', { where: { key: { remoteJid: adaJid } } });
    await take('POST', '/chat/findStatusMessage/shop', { where: { id: sent.key.id } });
    await take('POST', '/chat/findChats/shop', {});
    await phones('POST', `/${tenant.phone}/contacts`, {
      phone: ADA,
      first_name: 'Ada',
      full_name: 'Ada',
    });
    await vi.waitFor(async () =>
      expect(await take('POST', '/chat/findContacts/shop', {})).not.toHaveLength(0),
    );
    const key = { remoteJid: adaJid, fromMe: false, id };
    await take('POST', '/chat/markMessageAsRead/shop', { readMessages: [key] });
    await take('POST', '/chat/markChatUnread/shop', { chat: adaJid });
    await take('POST', '/chat/archiveChat/shop', { chat: adaJid, archive: true });
    await take('POST', '/chat/sendPresence/shop', { ...to, presence: 'paused' });
    await take('POST', '/chat/whatsappNumbers/shop', { numbers: [ADA] });
    await take('POST', '/chat/fetchProfilePictureUrl/shop', to);
    await take('POST', '/chat/fetchBusinessProfile/shop', to);
    await take('POST', '/chat/fetchProfile/shop', to);
    await take('POST', '/chat/updateBlockStatus/shop', { ...to, status: 'unblock' });
    await take('POST', '/chat/updateProfileStatus/shop', { status: 'Open' });
  });

  it('match for groups', async () => {
    const made = await take('POST', '/group/create/shop', { subject: 'Crew', participants: [ADA] });
    const at = (action: string): string => `/group/${action}/shop?groupJid=${made.id}`;
    await take('GET', at('findGroupInfos'));
    await take('GET', '/group/fetchAllGroups/shop?getParticipants=false');
    await take('GET', at('participants'));
    await take('POST', at('updateParticipant'), { action: 'promote', participants: [ADA] });
    await take('GET', at('inviteCode'));
    const { inviteCode } = await take('POST', at('revokeInviteCode'));
    await take('POST', '/group/sendInvite/shop', { groupJid: made.id, numbers: [ADA] });
    await take('POST', at('toggleEphemeral'), { expiration: 86400 });
    await take('DELETE', at('leaveGroup'));
    await take('GET', `/group/acceptInviteCode/shop?inviteCode=${inviteCode}`);
  });

  it('match for webhooks', async () => {
    const me = `${tenant.phone}@s.whatsapp.net`;
    await phones('POST', `/${ADA}/calls`, { to: tenant.phone });
    await phones('POST', `/${ADA}/typing`, { to: tenant.phone, typing: true });
    const group = await phones('POST', `/${ADA}/groups`, { name: 'Lunch', participants: [me] });
    await phones('POST', `/${ADA}/groups/${group.jid}/participants`, {
      participants: [me],
      action: 'promote',
    });
    const events = [
      'messages.upsert',
      'send.message',
      'messages.update',
      'connection.update',
      'qrcode.updated',
      'presence.update',
      'call',
      'group-participants.update',
    ] as const;
    await vi.waitFor(() => {
      for (const event of events) expect(hooksOf(event), event).not.toHaveLength(0);
    });
    for (const event of events)
      for (const { body } of hooksOf(event)) {
        compare('envelope', body);
        const { messageType } = body.data as { messageType?: string };
        if (messageType === undefined || messageType === 'conversation') compare(event, body.data);
      }
  });

  it('match for logout and deletion', async () => {
    await take('DELETE', '/instance/logout/shop');
    await take('DELETE', '/instance/delete/shop');
  });

  it('match except for the differences explained here and in the guide', () => {
    expect([...found].sort()).toEqual(Object.keys(EXPLAINED).sort());
    const unseen = Object.keys(SHAPES).filter((name) => !compared.has(name));
    expect(unseen).toEqual([]);
    const guide = readFileSync(GUIDE, 'utf8');
    for (const reason of new Set(Object.values(EXPLAINED))) expect(guide).toContain(reason);
  });
});
