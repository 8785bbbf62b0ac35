import type { PublicEvent } from '@parley/contract';
import { expect, test } from 'vitest';
import type { CodeListener } from '../instance/pairing.ts';
import type { Instance } from '../instances.ts';
import { translate } from './events.ts';

const ADA = '15550002001@s.whatsapp.net';
const GROUP = '120363041234567890@g.us';
const session_id = '15550001001:1@s.whatsapp.net';
const at = { session_id, timestamp_unix: 1_784_365_200 };
const instance = { name: 'shop', number: { slotId: 'slot', phone: '15550001001' } } as unknown as Instance;
const message = {
  kind: 'message',
  ...at,
  message_id: 'M1',
  sender_jid: ADA,
  sender_name: 'Ada',
  chat_jid: ADA,
  is_group: false,
  type: 'text',
  text: 'Hello',
  broadcast: false,
} as const;
const key = { remoteJid: ADA, fromMe: false, id: 'M1' };
const connection = { kind: 'connection', ...at };
const participants = [{ jid: '77@lid', phone_jid: ADA }, { jid: '15550002002@s.whatsapp.net' }];
const update = (status: string) => ({
  messageId: 'M1',
  keyId: 'M1',
  remoteJid: ADA,
  fromMe: true,
  participant: undefined,
  status,
  instanceId: 'slot',
});

const translated = (event: object) =>
  translate(event as PublicEvent | CodeListener, instance, { base64: false });

test.each<[string, object, string, unknown]>([
  [
    'a status',
    { kind: 'status', ...at, message_id: 'M1', to: ADA, status: 'failed' },
    'messages.update',
    update('ERROR'),
  ],
  [
    'a receipt',
    { kind: 'receipt', ...at, network_message_id: 'M1', recipient_jid: ADA, receipt_type: 'delivered' },
    'messages.update',
    update('DELIVERY_ACK'),
  ],
  [
    'a deletion',
    { ...message, message_id: 'M2', revoked_message_id: 'M1' },
    'messages.delete',
    { ...key, status: 'DELETED', instanceId: 'slot' },
  ],
  [
    'an edit',
    { ...message, message_id: 'M2', edited_message_id: 'M1', text: 'Hi' },
    'messages.edited',
    { key, type: 'MESSAGE_EDIT', editedMessage: { conversation: 'Hi' }, instanceId: 'slot' },
  ],
  [
    'a code',
    { kind: 'connection', qr: { pairingCode: 'ABCD1234', code: 'text', base64: 'data:', count: 1 } },
    'qrcode.updated',
    { qrcode: { instance: 'shop', pairingCode: 'ABCD1234', code: 'text', base64: 'data:' } },
  ],
  [
    'a connection',
    { ...connection, event: 'connected' },
    'connection.update',
    {
      instance: 'shop',
      state: 'open',
      statusReason: 200,
      wuid: '15550001001@s.whatsapp.net',
      profileName: null,
      profilePictureUrl: null,
    },
  ],
  [
    'an interruption',
    { ...connection, event: 'disconnected' },
    'connection.update',
    { instance: 'shop', state: 'connecting', statusReason: 408 },
  ],
  [
    'the end of a link',
    { ...connection, event: 'logged_out' },
    'connection.update',
    { instance: 'shop', state: 'close', statusReason: 401 },
  ],
  [
    'presence',
    { kind: 'presence', session_id, contact_jid: ADA, online: true },
    'presence.update',
    { id: ADA, presences: { [ADA]: { lastKnownPresence: 'available' } } },
  ],
  [
    'absence',
    { kind: 'presence', session_id, contact_jid: ADA, online: false, last_seen_unix: 5 },
    'presence.update',
    { id: ADA, presences: { [ADA]: { lastKnownPresence: 'unavailable', lastSeen: 5 } } },
  ],
  ...[
    [true, 'text', 'composing'],
    [true, 'audio', 'recording'],
    [false, 'audio', 'paused'],
  ].map(([typing, media, lastKnownPresence]): [string, object, string, unknown] => [
    `typing that is ${lastKnownPresence}`,
    { kind: 'typing', session_id, chat_jid: GROUP, sender_jid: ADA, is_group: true, typing, media },
    'presence.update',
    { id: GROUP, presences: { [ADA]: { lastKnownPresence } } },
  ]),
  ...[
    [true, 'reject'],
    [false, 'offer'],
  ].map(([rejected, status]): [string, object, string, unknown] => [
    `a call: ${status}`,
    { kind: 'call', ...at, call_id: 'C1', from_jid: ADA, event: 'offer', video: true, rejected },
    'call',
    {
      id: 'C1',
      chatId: ADA,
      from: ADA,
      isVideo: true,
      isGroup: false,
      status,
      date: '2026-07-18T09:00:00.000Z',
      offline: false,
    },
  ]),
  ...[
    ['added', 'add'],
    ['left', 'remove'],
    ['promoted', 'promote'],
  ].map(([event, action]): [string, object, string, unknown] => [
    `members that are ${event}`,
    { kind: 'group', ...at, chat_jid: GROUP, event, by_jid: ADA, participants },
    'group-participants.update',
    {
      id: GROUP,
      author: ADA,
      participants: ['77@lid', '15550002002@s.whatsapp.net'],
      action,
      participantsData: [
        { jid: '77@lid', phoneNumber: ADA },
        { jid: '15550002002@s.whatsapp.net', phoneNumber: '15550002002' },
      ],
    },
  ]),
  [
    'members that are not named',
    { kind: 'group', ...at, chat_jid: GROUP, event: 'demoted' },
    'group-participants.update',
    { id: GROUP, author: undefined, participants: [], action: 'demote', participantsData: [] },
  ],
  [
    'settings of a group',
    { kind: 'group', ...at, chat_jid: GROUP, event: 'settings', announce: true, locked: false },
    'groups.update',
    [{ id: GROUP, subject: undefined, desc: undefined, announce: true, restrict: false }],
  ],
  [
    'what a contact shows',
    { kind: 'contact', ...at, contact_jid: ADA, event: 'about' },
    'contacts.update',
    [{ remoteJid: ADA, instanceId: 'slot' }],
  ],
  [
    'a new contact',
    { kind: 'contact_linked', ...at, jid: ADA },
    'contacts.upsert',
    [{ remoteJid: ADA, pushName: null, profilePicUrl: null, instanceId: 'slot' }],
  ],
  ['a chat that is deleted', { kind: 'chat', ...at, chat_jid: ADA, event: 'deleted' }, 'chats.delete', [ADA]],
  [
    'a chat that is read',
    { kind: 'chat', ...at, chat_jid: ADA, event: 'read' },
    'chats.update',
    [{ remoteJid: ADA, instanceId: 'slot' }],
  ],
])('translates %s', (_name, event, name, data) => {
  expect(translated(event)).toEqual({ event: name, data });
});

test('translates a message by its sender and origin', () => {
  const seen = (changes: object) => {
    const result = translated({ ...message, ...changes });
    return [result?.event, (result?.data as { status: string } | undefined)?.status];
  };
  expect(seen({})).toEqual(['messages.upsert', 'DELIVERY_ACK']);
  expect(seen({ from_me: true })).toEqual(['messages.upsert', 'SERVER_ACK']);
  expect(seen({ from_me: true, request_id: 'r' })).toEqual(['send.message', 'SERVER_ACK']);
});

test('ignores other events', () => {
  expect(translated({ kind: 'health', ...at })).toBeUndefined();
});
