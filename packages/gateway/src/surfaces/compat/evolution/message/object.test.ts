import { describe, expect, test } from 'vitest';
import { keyOf, type MessageObjectInput, messageObject } from './object.ts';

const ADA = '15550002001@s.whatsapp.net';
const LID = '245100123456789@lid';
const GROUP = '120363041234567890@g.us';
const base: MessageObjectInput = {
  message_id: 'M1',
  sender_jid: ADA,
  sender_name: 'Ada',
  chat_jid: ADA,
  is_group: false,
  type: 'text',
  text: 'Hello',
  timestamp_unix: 5,
  broadcast: false,
};
const object = (changes: Partial<MessageObjectInput>, options: { base64?: boolean } = {}) =>
  messageObject({ ...base, ...changes }, { instanceId: 'slot', ...options });
const content = (changes: Partial<MessageObjectInput>) => {
  const { message, messageType } = object(changes);
  return { messageType, message };
};

describe('the key of a message', () => {
  test.each<[string, Partial<MessageObjectInput>, object]>([
    ['in a chat', {}, { remoteJid: ADA, fromMe: false, id: 'M1' }],
    [
      'in a chat whose hidden address is known',
      { sender_lid: LID },
      { remoteJid: ADA, fromMe: false, id: 'M1', remoteJidAlt: LID, addressingMode: 'pn' },
    ],
    [
      'in a chat by the hidden address',
      { chat_jid: LID, sender_jid: LID, sender_phone: ADA, sender_lid: LID },
      { remoteJid: LID, fromMe: false, id: 'M1', remoteJidAlt: ADA, addressingMode: 'lid' },
    ],
    [
      'of the owner',
      { from_me: true, sender_lid: LID, sender_phone: ADA },
      { remoteJid: ADA, fromMe: true, id: 'M1', addressingMode: 'pn' },
    ],
    [
      'of the owner by the hidden address',
      { from_me: true, chat_jid: LID, sender_phone: ADA },
      { remoteJid: LID, fromMe: true, id: 'M1', addressingMode: 'lid' },
    ],
    [
      'in a group',
      { is_group: true, chat_jid: GROUP, sender_phone: ADA },
      { remoteJid: GROUP, fromMe: false, id: 'M1', participant: ADA },
    ],
    [
      'in a group by the hidden address',
      { is_group: true, chat_jid: GROUP, sender_jid: LID, sender_phone: ADA, sender_lid: LID },
      {
        remoteJid: GROUP,
        fromMe: false,
        id: 'M1',
        participant: LID,
        participantAlt: ADA,
        addressingMode: 'lid',
      },
    ],
    [
      'of the owner in a group',
      { is_group: true, chat_jid: GROUP, from_me: true, sender_phone: ADA, sender_jid: LID },
      { remoteJid: GROUP, fromMe: true, id: 'M1' },
    ],
  ])('%s', (_name, changes, key) => {
    expect(keyOf({ ...base, ...changes })).toEqual(key);
  });
});

describe('a message', () => {
  test('has its sender, its time and the device type', () => {
    expect(object({})).toEqual({
      key: { remoteJid: ADA, fromMe: false, id: 'M1' },
      pushName: 'Ada',
      message: { conversation: 'Hello' },
      contextInfo: null,
      messageType: 'conversation',
      messageTimestamp: 5,
      instanceId: 'slot',
      source: 'unknown',
    });
    const source = (message_id: string) => object({ message_id }).source;
    expect(source('3EB0C767D097B7C7C030')).toBe('web');
    expect(source('3A5C1E0B2D7F9A8C4E61')).toBe('ios');
    expect(source('A'.repeat(22))).toBe('android');
    expect(source('A'.repeat(21))).toBe('unknown');
    expect(object({ from_me: true }).pushName).toBe('Você');
    expect(messageObject(base, { instanceId: 'slot', status: 'READ' }).status).toBe('READ');
  });

  test.each<[string, Partial<MessageObjectInput>, string, unknown]>([
    [
      'a reaction',
      { type: 'reaction', text: '👍', reacted_message_id: 'M0' },
      'reactionMessage',
      { key: { remoteJid: ADA, fromMe: false, id: 'M0' }, text: '👍', senderTimestampMs: '5000' },
    ],
    [
      'a location',
      { type: 'location', location: { latitude: 1, longitude: 2, name: 'Port' } },
      'locationMessage',
      { degreesLatitude: 1, degreesLongitude: 2, name: 'Port', address: undefined },
    ],
    [
      'a live location',
      { type: 'location', location: { latitude: 1, longitude: 2, live: true } },
      'liveLocationMessage',
      { degreesLatitude: 1, degreesLongitude: 2, name: undefined, address: undefined },
    ],
    [
      'a poll',
      { type: 'poll', poll: { name: 'Tea?', options: ['yes', 'no'], selectable_count: 1 } },
      'pollCreationMessageV3',
      {
        name: 'Tea?',
        options: [{ optionName: 'yes' }, { optionName: 'no' }],
        selectableOptionsCount: 1,
      },
    ],
    [
      'a button',
      { type: 'button_response', button_response: { selected_id: 'y', selected_text: 'Yes' } },
      'templateButtonReplyMessage',
      { selectedId: 'y', selectedDisplayText: 'Yes' },
    ],
    [
      'an edit',
      { type: 'other', text: 'Hi', edited_message_id: 'M0' },
      'editedMessage',
      { message: { conversation: 'Hi' }, id: 'M0' },
    ],
    [
      'a contact',
      { type: 'other', text: '', contacts: [{ name: 'Ben', phones: [], vcard: 'v' }] },
      'contactMessage',
      { displayName: 'Ben', vcard: 'v' },
    ],
    [
      'contacts',
      { type: 'other', contacts: ['Ben', 'Cleo'].map((name) => ({ name, phones: [], vcard: name })) },
      'contactsArrayMessage',
      {
        contacts: [
          { displayName: 'Ben', vcard: 'Ben' },
          { displayName: 'Cleo', vcard: 'Cleo' },
        ],
      },
    ],
    ['a text of another kind', { type: 'other', text: 'Hi' }, 'conversation', 'Hi'],
    ['an unknown kind', { type: 'other', text: '' }, 'unknown', {}],
    [
      'a file',
      {
        type: 'document',
        text: 'Read',
        media: { mimetype: 'application/pdf', filename: 'a.pdf', file_length: 3 },
      },
      'documentMessage',
      { mimetype: 'application/pdf', fileName: 'a.pdf', title: 'a.pdf', fileLength: '3', caption: 'Read' },
    ],
    ['a file without metadata', { type: 'image', text: '', media: {} }, 'imageMessage', {}],
  ])('that is %s', (_name, changes, messageType, expected) => {
    expect(content(changes)).toEqual({ messageType, message: { [messageType]: expected } });
  });

  test('has quotes, mentions, forwarding and expiry beside its content', () => {
    const context = {
      stanzaId: 'M0',
      participant: LID,
      quotedMessage: { conversation: 'Before' },
      mentionedJid: [ADA],
      isForwarded: true,
      forwardingScore: 1,
      expiration: 0,
    };
    const quoting = object({
      type: 'image',
      text: '',
      media: { url: 'https://files.example/1' },
      quoted_message_id: 'M0',
      quoted_participant: LID,
      quoted_text: 'Before',
      mentions: [ADA],
      forwarded: true,
      ephemeral_seconds: 0,
    });
    expect(quoting.contextInfo).toEqual(context);
    expect(quoting.message).toEqual({
      imageMessage: { url: 'https://files.example/1', contextInfo: context },
      mediaUrl: 'https://files.example/1',
    });
    const plain = object({ quoted_message_id: 'M0' });
    expect(plain.contextInfo).toEqual({
      stanzaId: 'M0',
      participant: ADA,
      quotedMessage: { conversation: '' },
    });
    expect(plain.message).toEqual({ conversation: 'Hello' });
  });

  test('has the bytes of its file on request', () => {
    const file = { type: 'image', text: '', media: { data: 'YWJj' } } as const;
    expect(object(file, { base64: true }).message).toEqual({ imageMessage: {}, base64: 'YWJj' });
    expect(object(file).message).toEqual({ imageMessage: {} });
    expect(object({ ...file, media: { data: '' } }, { base64: true }).message).toEqual({ imageMessage: {} });
  });
});
