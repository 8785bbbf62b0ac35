import { beforeAll, describe, expect, test, vi } from 'vitest';
import { FILES, PICTURE, useFileServer } from '../file-server.ts';
import { WATCHING } from '../numbers.ts';
import { sharedGateway } from '../shared-gateway.ts';
import { N8N_OPERATIONS, type OperationName } from './n8n-operations.ts';
import { INSTANCE, type Stage, takeStage } from './stage.ts';

/** Each operation of the n8n node, by its own code, with the effect checked on virtual phones. */
describe('n8n-nodes-evolution-api', () => {
  const gateway = sharedGateway();
  const files = useFileServer();
  let stage: Stage;
  let { operate, adaSees, says, phoneOf, ada, me } = {} as Stage;

  beforeAll(async () => {
    stage = await takeStage(gateway);
    ({ operate, adaSees, says, phoneOf, ada, me } = stage);
  });

  test('creates an instance and links it', async () => {
    const made = await operate('instances-api instance-basic', {
      number: me.phone,
      token: '',
      'options_Create_instance.webhook.webhookSettings': { webhookUrl: files.url('/hook') },
    });
    expect(made).toMatchObject({ instance: { instanceName: INSTANCE }, webhook: { webhookByEvents: false } });
    const { code } = await operate('instances-api instance-connect');
    await gateway.sandbox('POST', `/phones/${me.phone}/scan`, { qr: code });
    await vi.waitFor(async () => {
      const [seen] = await operate('instances-api fetch-instances');
      expect(seen).toMatchObject({ name: INSTANCE, connectionStatus: 'open' });
    }, WATCHING);
    expect(await operate('instances-api restart-instance')).toMatchObject({ instance: { status: 'open' } });
  });

  test('changes its settings', async () => {
    const quiet = { alwaysOnline: false, readMessages: false, readStatus: false, syncFullHistory: false };
    const settings = { rejectCall: true, msgCall: '', groupsIgnore: false, ...quiet };
    expect(await operate('instances-api instance-settings', settings)).toMatchObject({
      settings: { settings: { rejectCall: true } },
    });
    await operate('instances-api set-presence', { presence: 'unavailable' });
    const proxy = {
      proxyHost: '192.0.2.1',
      proxyPort: '1080',
      proxyUsername: 'ada',
      proxyPassword: 'secret',
    };
    await operate('instances-api set-proxy setProxy', { enabled: false, ...proxy });
    expect(await operate('instances-api set-proxy findProxy')).toBeNull();
  });

  test('sends texts, files, polls, contact cards, lists, buttons, reactions and a status', async () => {
    const to = { remoteJid: ada.phone };
    const sent = await operate('messages-api send-text', { ...to, messageText: 'Hello' });
    expect(sent).toMatchObject({ key: { fromMe: true }, status: 'SERVER_ACK' });
    await adaSees({ message_id: sent.key.id, text: 'Hello' });
    await operate('messages-api send-image', { ...to, media: PICTURE.toString('base64'), caption: 'Look' });
    await adaSees({ type: 'image', text: 'Look' });
    await operate('messages-api send-video', { ...to, media: files.url('/film.mp4') });
    await adaSees({ type: 'video' });
    await operate('messages-api send-audio', { ...to, media: files.url('/voice.ogg') });
    await adaSees({ type: 'audio' });
    const pdf = { media: FILES['/tides.pdf'].toString('base64'), fileName: 'Tides.pdf' };
    await operate('messages-api send-document', { ...to, ...pdf });
    await adaSees({ type: 'document' });
    const values = [{ optionValue: 'Now' }, { optionValue: 'Later' }];
    await operate('messages-api send-poll', {
      ...to,
      caption: 'When?',
      'options_display.metadataValues': values,
    });
    await adaSees({ type: 'poll' });
    const card = { fullName: 'Ben', wuid: '15550002002', phoneNumber: '+1 555 000 2002' };
    await operate('messages-api send-contact', { ...to, 'contacts.contactValues': [card] });
    await adaSees({ type: 'contact' });
    const rows = { rowValues: [{ title: 'Soup', description: 'hot', rowId: 'soup' }] };
    const words = { title: 'Menu', description: 'Choose' };
    const sections = { 'sections.sectionValues': [{ title: 'Food', rows }] };
    await operate('messages-api send-list', {
      ...to,
      ...words,
      buttonText: 'Open',
      footerText: 'Today',
      ...sections,
    });
    await adaSees({ type: 'interactive' });
    const buttons = [
      { type: 'reply', displayText: 'Yes', id: 'yes' },
      { type: 'url', displayText: 'See', url: 'https://a.example' },
    ];
    await operate('messages-api send-buttons', { ...to, ...words, 'buttons.buttonValues': buttons });
    await operate('messages-api send-pix', { ...to, name: 'Shop', keyType: 'email', key: 'a@example.com' });
    const pointing = { ...to, messageId: sent.key.id, fromMe: true };
    await operate('messages-api send-reaction', { ...pointing, reaction: '👍' });
    await adaSees({ message_id: sent.key.id, reactions: [expect.objectContaining({ emoji: '👍' })] });
    await operate('messages-api send-stories', { type: 'text', content: 'Open again', allContacts: true });
  });

  test('reads back, edits, deletes, marks and blocks', async () => {
    const messageId = await says({
      media_type: 'image',
      media_base64: PICTURE.toString('base64'),
      mimetype: 'image/png',
    });
    const remoteJid = `${ada.phone}@s.whatsapp.net`;
    const named = { remoteJid, chat: remoteJid, messageId, fromMe: false };
    await vi.waitFor(async () => {
      const { messages } = await operate('chat-api find-messages', { ...named, page: 1, offset: 50 });
      expect(messages.records[0]).toMatchObject({ key: { id: messageId }, messageType: 'imageMessage' });
    }, WATCHING);
    const file = await operate('chat-api get-media-base64', { messageId, convertToMp4: false });
    expect(file).toMatchObject({ base64: PICTURE.toString('base64'), mimetype: 'image/png' });
    const chats = await operate('chat-api find-chats', named);
    expect(chats).toMatchObject([{ lastMessage: { key: { id: messageId } } }]);
    const [someoneElse] = [{ ...named, remoteJid: '15550009999@s.whatsapp.net' }];
    expect(await operate('chat-api find-chats', someoneElse)).toEqual([]);
    expect(await operate('chat-api read-messages', named)).toMatchObject({ read: 'success' });
    await adaSees({
      message_id: messageId,
      receipts: expect.arrayContaining([expect.objectContaining({ type: 'read' })]),
    });
    await operate('chat-api mark-unread', named);
    await operate('chat-api manage-archive', { ...named, archive: true });
    const draft = await operate('messages-api send-text', { remoteJid, messageText: 'Draft' });
    const own = { remoteJid, messageId: draft.key.id, fromMe: true };
    await operate('chat-api update-message', { ...own, text: 'Final' });
    await adaSees({ message_id: draft.key.id, text: 'Final' });
    await vi.waitFor(async () => {
      const [status] = await operate('chat-api find-status-messages', own);
      expect(status).toMatchObject({ keyId: draft.key.id, status: 'READ' });
    }, WATCHING);
    await operate('chat-api delete-message', own);
    await adaSees({ message_id: draft.key.id, revoked: true });
    const found = await operate('chat-api check-number', { numbers: `${ada.phone}, 15550009999` });
    expect(found.map(({ exists }: { exists: boolean }) => exists)).toEqual([true, false]);
    await operate('chat-api send-presence', { remoteJid, presence: 'composing', delay: 10 });
    expect(await operate('chat-api find-contacts', { listAll: true })).toBeInstanceOf(Array);
    await operate('chat-api fetch-profile-picture', { number: ada.phone });
    await operate('chat-api block-contact', { remoteJid, status: 'block' });
    expect(await phoneOf(me)).toMatchObject({ blocklist: [ada.jid] });
    await operate('chat-api block-contact', { remoteJid, status: 'unblock' });
  });

  test('manages groups', async () => {
    const subject = { subject: 'Crew', description: 'All of us' };
    const made = await operate('groups-api create-group', { ...subject, participants: ada.phone });
    const group = { groupJid: made.id };
    await operate('groups-api update-group-name', { ...group, subject: 'Team' });
    await operate('groups-api update-group-description', { ...group, description: 'Few of us' });
    await operate('groups-api update-group-picture', { ...group, image: files.url('/picture.png') });
    await operate('groups-api update-participants', {
      ...group,
      action: 'promote',
      participants: ada.phone,
    });
    await operate('groups-api update-settings', { ...group, action: 'announcement' });
    await operate('groups-api toggle-ephemeral', { ...group, expiration: 86400 });
    const all = await operate('groups-api fetch-groups fetchAll', { getParticipants: 'true' });
    expect(all).toMatchObject([{ id: made.id, subject: 'Team', announce: true }]);
    const one = await operate('groups-api fetch-groups groupJid', group);
    expect(one).toMatchObject({ desc: 'Few of us', size: 2 });
    const { participants } = await operate('groups-api find-participants', group);
    expect(participants.filter(({ admin }: { admin: string | null }) => admin === 'admin')).toHaveLength(1);
    const before = await operate('groups-api fetch-invite-code', group);
    const { inviteCode } = await operate('groups-api revoke-invite-code', group);
    expect(inviteCode).not.toBe(before.inviteCode);
    await operate('groups-api send-invite-link', { ...group, description: 'Come', numbers: ada.phone });
    await adaSees({ text: `Come\n\nhttps://chat.whatsapp.com/${inviteCode}` });
    await operate('groups-api fetch-groups inviteCode', { inviteCode });
    await operate('groups-api leave-group', group);
    const joined = await operate('groups-api join-group', { inviteCode });
    expect(joined).toMatchObject({ accepted: true, groupJid: made.id });
  });

  test('reads and changes the profile', async () => {
    const remoteJid = ada.jid;
    await operate('profile-api update-profile-status', { status: 'Closed today' });
    expect(await phoneOf(me)).toMatchObject({ about: 'Closed today' });
    await operate('profile-api update-profile-name', { name: 'The shop' });
    await operate('profile-api update-profile-picture', { picture: files.url('/picture.png') });
    await operate('profile-api remove-profile-picture');
    expect(await operate('profile-api fetch-profile', { remoteJid })).toMatchObject({ wuid: ada.jid });
    const business = await operate('profile-api fetch-business-profile', { remoteJid });
    expect(business).toMatchObject({ isBusiness: false, jid: ada.jid });
    await operate('profile-api fetch-privacy-settings');
    await operate('profile-api update-privacy-settings');
  });

  test('sets its webhook', async () => {
    const url = files.url('/hook');
    const flags = { webhookByEvents: true, webhookBase64: false };
    const events = { webhookEvents: ['MESSAGES_UPSERT'] };
    await operate('events-api webhook setWebhook', { enabled: true, webhookUrl: url, ...flags, ...events });
    expect(await operate('events-api webhook findWebhook')).toMatchObject({ url, webhookByEvents: true });
    await operate('events-api webhook setWebhook', { enabled: false, webhookUrl: '', ...flags, ...events });
    expect(await operate('events-api webhook findWebhook')).toMatchObject({ url, enabled: false });
  });

  const disabled = Object.entries(N8N_OPERATIONS).filter(([, { outcome }]) => outcome === 'disabled');
  test.each(disabled)('gets an answer that %s is switched off', async (name) => {
    const ids = ['typebotId', 'evolutionBotId', 'difyBotId', 'flowiseBotId', 'remoteJid'];
    const others = ['status', 'apiKey', 'apiKeyBot', 'botType', 'ignoreJids'];
    const any = Object.fromEntries([...ids, ...others].map((each) => [each, 'any']));
    await operate(name as OperationName, any);
  });

  test('works beside n8n’s HTTP node, whose forms with files are accepted', async () => {
    const post = async (fields: Record<string, string | Blob>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      const url = `${stage.serverUrl}/message/sendMedia/${INSTANCE}`;
      const ask = () => fetch(url, { method: 'POST', headers: { apikey: me.apiKey }, body });
      return vi.waitFor(async () => {
        const answer = await ask();
        expect(answer.status).not.toBe(429);
        return { status: answer.status, answer: await answer.text() };
      }, WATCHING);
    };
    const fields = { number: ada.phone, mediatype: 'image', caption: 'In a form' };
    const picture = new File([PICTURE], 'picture.png', { type: 'image/png' });
    expect(await post({ ...fields, file: picture })).toMatchObject({ status: 201 });
    await adaSees({ type: 'image', text: 'In a form' });
    expect(await post(fields)).toMatchObject({ status: 400 });
    const huge = new File([Buffer.alloc(33 * 1024 * 1024)], 'huge.png', { type: 'image/png' });
    expect(await post({ ...fields, file: huge })).toMatchObject({ status: 413 });
  });

  test('sends no request for a menu entry without code', async () => {
    await operate('integrations-api difyBot changeStatusDify');
  });

  test('unlinks and deletes the instance', async () => {
    await operate('instances-api logout-instance');
    await operate('instances-api delete-instance');
    expect(await operate('instances-api fetch-instances', { instanceName: '' })).toEqual([]);
  });

  test('has no operation that was not run', () => {
    const { operations, choicesOf } = stage.node;
    const names = Object.entries(operations).flatMap(([resource, all]) =>
      all.flatMap((operation) => {
        const values = choicesOf(resource, operation)?.values.map((value) => ` ${value}`) ?? [''];
        return values.map((value) => `${resource} ${operation}${value}`);
      }),
    );
    expect(Object.keys(N8N_OPERATIONS).sort()).toEqual(names.sort());
    expect([...stage.operated].sort()).toEqual(names.sort());
  });
});
