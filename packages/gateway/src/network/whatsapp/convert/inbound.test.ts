import { type BinaryNode, proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { readMediaRef } from '../media/media-ref.ts';
import { readContent } from './inbound.ts';
import {
  messageEventId,
  placeholderIn,
  readChannelMessages,
  readHead,
  toMessageEvent,
  unavailableMessage,
} from './index.ts';

const ProtocolType = proto.Message.ProtocolMessage.Type;
const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };
const direct = {
  id: 'M1',
  from: '15550002001:2@s.whatsapp.net',
  t: '1700000000',
  notify: 'Ada',
  sender_lid: '77@lid',
};
const inGroup = {
  id: 'M2',
  from: '123@g.us',
  participant: '77:4@lid',
  participant_pn: '15550002001@s.whatsapp.net',
  addressing_mode: 'lid',
  t: '1700000000',
};

function head(attrs: Record<string, string>) {
  const read = readHead(attrs, me);
  if (!read) throw new Error('no head');
  return read;
}

function content(message: proto.IMessage) {
  return readContent(proto.Message.decode(proto.Message.encode(message).finish()), head(direct));
}

describe('the head of a message', () => {
  test('names a direct chat by the number, without device', () => {
    expect(head(direct)).toMatchObject({
      chat: '15550002001@s.whatsapp.net',
      sender: '15550002001@s.whatsapp.net',
      senderName: 'Ada',
      fromMe: false,
      timestamp: 1_700_000_000,
    });
  });

  test('does so also when the sender uses the hidden address and the network sends the number', () => {
    const hidden = {
      id: 'M',
      from: '77@lid',
      sender_pn: '15550002001@s.whatsapp.net',
      t: '1',
      addressing_mode: 'lid',
    };
    expect(head(hidden)).toMatchObject({ chat: '15550002001@s.whatsapp.net', remoteJid: '77@lid' });
    expect(head({ id: 'M', from: '77@lid', t: '1' })).toMatchObject({ chat: '77@lid', sender: '77@lid' });
  });

  test('has the hidden address and the username of the sender where the network sends them', () => {
    expect(head(direct)).toMatchObject({ senderLid: '77@lid' });
    expect(head(inGroup)).toMatchObject({ senderLid: '77@lid' });
    expect(head({ ...inGroup, participant_username: 'ada.l' })).toMatchObject({ senderUsername: 'ada.l' });
    for (const attrs of [direct, inGroup, { ...inGroup, participant_username: 'no name' }])
      expect(head(attrs)).not.toHaveProperty('senderUsername');
    expect(head({ id: 'M', from: '15550002001@s.whatsapp.net', t: '1' })).not.toHaveProperty('senderLid');
  });

  test('keeps the address that the group uses for its members', () => {
    expect(head(inGroup)).toMatchObject({
      chat: '123@g.us',
      sender: '77@lid',
      senderPhone: '15550002001@s.whatsapp.net',
      isGroup: true,
    });
  });

  const own = { id: 'M', from: '15550001001@s.whatsapp.net', t: '1' };
  const text = { conversation: 'hi' };

  test('puts own messages from other devices into the chat with their recipient', () => {
    const mine = { sender: '15550001001@s.whatsapp.net', senderLid: '100@lid', fromMe: true };
    const toAda = { ...own, recipient: '15550002001@s.whatsapp.net' };
    expect(head(toAda)).toMatchObject({ chat: '15550002001@s.whatsapp.net', ...mine });
    const hidden = { ...own, from: '100@lid', recipient: '77@lid', peer_recipient_pn: toAda.recipient };
    expect(head(hidden)).toMatchObject({ chat: '15550002001@s.whatsapp.net', ...mine });
    const { participant_pn: _, ...inAGroup } = inGroup;
    expect(head({ ...inAGroup, participant: '100:0@lid' })).toMatchObject({
      ...mine,
      chat: '123@g.us',
      sender: '100@lid',
      senderPhone: '15550001001@s.whatsapp.net',
    });
    const story = { ...own, from: 'status@broadcast', participant: '100@lid' };
    expect(head(story)).toMatchObject({ ...mine, broadcast: true });
    for (const attrs of [toAda, hidden, story]) expect(toMessageEvent(text, head(attrs))?.fromMe).toBe(true);
    expect(toMessageEvent(text, head(direct))).not.toHaveProperty('fromMe');
  });

  test('is no event for messages among the own devices, and for an own vote', () => {
    expect(messageEventId(text, head(own))).toBeUndefined();
    const toAda = { ...own, recipient: '15550002001@s.whatsapp.net' };
    expect(messageEventId(text, head({ ...toAda, category: 'peer' }))).toBeUndefined();
    expect(messageEventId({ pollUpdateMessage: {} }, head(toAda))).toBeUndefined();
    expect(messageEventId({ pollUpdateMessage: {} }, head(direct))).toBeDefined();
  });

  test('is undefined for an invalid stanza', () => {
    for (const attrs of [{}, { id: 'M' }, { id: 'M', from: 'nonsense' }, { id: 'M', from: '123@g.us' }]) {
      expect(readHead(attrs as Record<string, string>, me)).toBeUndefined();
    }
  });
});

describe('content', () => {
  test.each<[string, proto.IMessage, unknown]>([
    ['plain text', { conversation: 'hi' }, { kind: 'text', text: 'hi' }],
    [
      'disappearing text',
      { ephemeralMessage: { message: { conversation: 'hi' } } },
      { kind: 'text', text: 'hi' },
    ],
    [
      'a place',
      { locationMessage: { degreesLatitude: 1.5, degreesLongitude: 2.5, name: 'Here' } },
      { kind: 'location', latitude: 1.5, longitude: 2.5, name: 'Here' },
    ],
    [
      'a reaction',
      { reactionMessage: { key: { id: 'T' }, text: '👍' } },
      { kind: 'reaction', targetId: 'T', emoji: '👍' },
    ],
    [
      'a removed reaction',
      { reactionMessage: { key: { id: 'T' } } },
      { kind: 'reaction', targetId: 'T', emoji: '' },
    ],
    [
      'a poll',
      {
        pollCreationMessageV3: {
          name: 'Lunch?',
          options: [{ optionName: 'a' }, { optionName: 'b' }],
          selectableOptionsCount: 1,
        },
      },
      { kind: 'poll', name: 'Lunch?', options: ['a', 'b'], selectableCount: 1 },
    ],
    [
      'a pressed button',
      {
        interactiveResponseMessage: {
          body: { text: 'Yes' },
          nativeFlowResponseMessage: { paramsJson: '{"id":"yes"}' },
        },
      },
      { kind: 'button_response', selectedId: 'yes', selectedText: 'Yes', paramsJson: '{"id":"yes"}' },
    ],
    [
      'a pressed button with broken parameters',
      {
        interactiveResponseMessage: { body: { text: 'Yes' }, nativeFlowResponseMessage: { paramsJson: '{' } },
      },
      { kind: 'button_response', selectedId: '', selectedText: 'Yes', paramsJson: '{' },
    ],
    [
      'a contact card that is empty',
      { contactMessage: { displayName: 'Ben' } },
      { kind: 'other', text: 'Ben', contacts: [{ name: 'Ben', phones: [], vcard: '' }] },
    ],
    [
      'a location that is shared live',
      { liveLocationMessage: { degreesLatitude: 1.5, degreesLongitude: 2.5 } },
      { kind: 'location', latitude: 1.5, longitude: 2.5, live: true },
    ],
    [
      'an edit',
      {
        editedMessage: {
          message: {
            protocolMessage: {
              type: ProtocolType.MESSAGE_EDIT,
              key: { id: 'E' },
              editedMessage: { videoMessage: { caption: 'new' } },
            },
          },
        },
      },
      { kind: 'other', text: 'new', editedId: 'E' },
    ],
    [
      'a deleted message',
      { protocolMessage: { type: ProtocolType.REVOKE, key: { id: 'R' } } },
      { kind: 'other', text: '', revokedId: 'R' },
    ],
    ['a kind that the library does not know', {}, { kind: 'other', text: '' }],
  ])('reads %s', (_, message, expected) => {
    expect(content(message)?.content).toEqual(expected);
  });

  test.each<[string, proto.IMessage]>([
    ['keys of a group', { senderKeyDistributionMessage: { groupId: '123@g.us' } }],
    ['history', { protocolMessage: { type: ProtocolType.HISTORY_SYNC_NOTIFICATION } }],
    ['a vote, which is an event of its own', { pollUpdateMessage: {} }],
  ])('finds no visible content in %s', (_, message) => {
    expect(content(message)).toBeUndefined();
  });

  test('reads the target and the text of a reply', () => {
    const contextInfo = { stanzaId: 'Q', participant: '77:1@lid', quotedMessage: { conversation: 'before' } };
    expect(content({ extendedTextMessage: { text: 'yes', contextInfo } })?.quote).toEqual({
      messageId: 'Q',
      participant: '77@lid',
      text: 'before',
    });
  });

  test('reads marks where they apply, and leaves others absent', () => {
    const marks = (message: proto.IMessage) => {
      const { content: _, ...rest } = content(message) ?? {};
      return rest;
    };
    const contextInfo = {
      mentionedJid: ['77:2@lid', '77@lid', 'nonsense'],
      isForwarded: true,
      expiration: 86_400,
    };
    expect(marks({ extendedTextMessage: { text: 'hi', contextInfo } })).toEqual({
      mentions: ['77@lid'],
      forwarded: true,
      ephemeralSeconds: 86_400,
    });
    expect(marks({ extendedTextMessage: { text: 'hi', contextInfo: { expiration: 0 } } })).toEqual({});
    const timer = { type: ProtocolType.EPHEMERAL_SETTING, ephemeralExpiration: 0 };
    expect(marks({ protocolMessage: timer })).toEqual({ ephemeralSeconds: 0 });
    const once = { viewOnceMessageV2: { message: { imageMessage: {} } } };
    expect(marks(once)).toEqual({ viewOnce: true });
    expect(marks({ ephemeralMessage: { message: once } })).toEqual({ viewOnce: true });
    expect(marks({ audioMessage: { viewOnce: true } })).toEqual({ viewOnce: true });
    expect(marks({ audioMessage: {} })).toEqual({});
  });

  test('reads numbers on a card as the network has them, else as they are written', () => {
    const vcard = [
      'BEGIN:VCARD',
      'FN:Ben',
      'item1.TEL;type=CELL;waid=15550002002:+1 555 000 2002',
      'TEL;TYPE=work:+44 20 7946',
      '  0958',
      'tel:0800',
      'NOTE:TEL is not a number',
      'END:VCARD',
    ].join('\r\n');
    const read = content({
      contactsArrayMessage: { displayName: '2', contacts: [{ displayName: 'Ben', vcard }] },
    });
    expect(read?.content).toMatchObject({
      contacts: [{ name: 'Ben', phones: ['15550002002', '+44 20 7946 0958', '0800'], vcard }],
    });
  });

  test('reads media with all that its download needs, as plain text', () => {
    const imageMessage = {
      mimetype: 'image/png',
      caption: 'look',
      fileLength: 12,
      directPath: '/v/x',
      mediaKey: Buffer.alloc(32, 1),
      fileSha256: Buffer.alloc(32, 2),
      fileEncSha256: Buffer.alloc(32, 3),
    };
    const read = content({ imageMessage })?.content;
    if (read?.kind !== 'image') throw new Error('no image');
    expect(read).toMatchObject({ caption: 'look', media: { mimetype: 'image/png', size: 12 } });
    const pointer = readMediaRef(JSON.parse(JSON.stringify(read.media.ref)));
    expect(pointer).toMatchObject({ kind: 'image', directPath: '/v/x', message: { id: 'M1' } });
    expect(Buffer.from(pointer?.mediaKey ?? [])).toEqual(imageMessage.mediaKey);
    expect(readMediaRef({ kind: 'image', token: '{"path":1}' })).toBeUndefined();
    expect(readMediaRef({ kind: 'image', token: 'nonsense' })).toBeUndefined();
  });
});

describe('events', () => {
  test('gives the same message the same id, and another sender’s a different one', () => {
    const id = (attrs: Record<string, string>) => toMessageEvent({ conversation: 'x' }, head(attrs))?.id;
    expect(id(direct)).toBe(id({ ...direct, from: '15550002001:9@s.whatsapp.net' }));
    expect(id(direct)).not.toBe(id({ ...direct, from: '15550002002@s.whatsapp.net', sender_lid: '78@lid' }));
  });

  test('distinguishes why a message comes without content', () => {
    const stanza = (content: BinaryNode[], attrs: Record<string, string> = direct): BinaryNode => ({
      ...{ tag: 'message', attrs, content },
    });
    const why = (attrs: Record<string, string>, more: BinaryNode[] = []) =>
      placeholderIn(stanza([{ tag: 'unavailable', attrs }, ...more]));
    expect(why({})).toBe('requested');
    expect(placeholderIn(stanza([]))).toBe('requested');
    for (const type of ['view_once', 'view_once_unavailable_fanout']) expect(why({ type })).toBe('view_once');
    for (const hosted of ['true', '1']) expect(why({ hosted })).toBe('hosted');
    expect(why({ type: 'hosted_unavailable_fanout' })).toBe('hosted');
    expect(why({ hosted: 'false' })).toBe('requested');
    expect(why({}, [{ tag: 'bot', attrs: {} }])).toBe('bot');
    expect(why({ type: 'bot_unavailable_fanout' })).toBe('bot');
    for (const tag of ['enc', 'plaintext']) expect(why({}, [{ tag, attrs: {} }])).toBeUndefined();
    expect(placeholderIn(stanza([], { ...direct, from: '5@newsletter' }))).toBeUndefined();
    expect(placeholderIn(stanza([], { ...direct, category: 'peer' }))).toBeUndefined();
  });

  test('reports a message without content under the id that the message would have', () => {
    expect(unavailableMessage(direct, me, 'view_once')).toMatchObject({
      id: toMessageEvent({ conversation: 'x' }, head(direct))?.id,
      content: { kind: 'other', text: '', unavailable: 'view_once' },
      viewOnce: true,
    });
    expect(unavailableMessage(direct, me, 'bot')).not.toHaveProperty('viewOnce');
    expect(unavailableMessage({ ...direct, from: me.id }, me, 'bot')).toBeUndefined();
  });

  test('makes one event of a channel’s message and its live update; ids alone are enough', () => {
    const plaintext = {
      tag: 'plaintext',
      attrs: {},
      content: proto.Message.encode({ conversation: 'News' }).finish(),
    };
    const attrs = { id: 'C1', server_id: '42', t: '9' };
    const [message] = readChannelMessages({
      tag: 'message',
      attrs: { ...attrs, from: '5@newsletter' },
      content: [plaintext],
    });
    const [update] = readChannelMessages({
      tag: 'notification',
      attrs: { from: '5@newsletter', id: 'N' },
      content: [{ tag: 'message', attrs, content: [] }],
    });
    expect(message).toMatchObject({ serverId: 42, messageId: 'C1', type: 'text', text: 'News' });
    expect(update).toMatchObject({ id: message?.id, type: '', text: '' });
    expect(readChannelMessages({ tag: 'message', attrs: { ...attrs, from: '123@g.us' } })).toEqual([]);
    expect(readChannelMessages({ tag: 'message', attrs: { from: '5@newsletter', id: 'C' } })).toEqual([]);
  });
});

test('marks a deletion by an admin as the network does', () => {
  const revoke = { protocolMessage: { type: proto.Message.ProtocolMessage.Type.REVOKE, key: { id: 'R' } } };
  const contentOf = (attrs: Record<string, string>) => toMessageEvent(revoke, head(attrs))?.content;
  const inGroup = { id: 'M', from: '123@g.us', participant: '77@lid', t: '1' };
  const plain = { kind: 'other', text: '', revokedId: 'R' };
  expect(contentOf({ ...inGroup, edit: '7' })).toEqual(plain);
  expect(contentOf({ ...inGroup, edit: '8' })).toEqual({ ...plain, revokedByAdmin: true });
  expect(contentOf({ id: 'M', from: '15550002001@s.whatsapp.net', t: '1', edit: '8' })).toEqual(plain);
});

describe('a deletion that the network has not checked', () => {
  const BOB = '15550002001@s.whatsapp.net';
  const inGroup = { id: 'M', from: '123@g.us', participant: '77@lid', participant_pn: BOB, t: '1' };
  const direct = { id: 'M', from: BOB, t: '1' };
  const own = { kind: 'other', text: '', revokedId: 'R' };
  const anothers = { ...own, changesAnothers: true };
  const { Type } = proto.Message.ProtocolMessage;
  const read = (attrs: Record<string, string>, key: proto.IMessageKey) =>
    toMessageEvent({ protocolMessage: { type: Type.REVOKE, key: { id: 'R', ...key } } }, head(attrs))
      ?.content;

  test.each([
    ['of an own message', { fromMe: true }],
    ['of an own message that also names another author', { fromMe: true, participant: '88@lid' }],
    ['of an own message by the hidden address', { participant: '77@lid' }],
    ['of an own message by the number', { fromMe: false, participant: BOB }],
    ['without an author', {}],
  ])('%s counts as the author’s own', (_, key) => {
    for (const edit of ['7', '1', '']) expect(read({ ...inGroup, edit }, key)).toEqual(own);
    expect(read(inGroup, key)).toEqual(own);
  });

  test.each([
    ['that names another author', { fromMe: false, participant: '88@lid' }],
    ['that names another author only', { participant: '15550002002:3@s.whatsapp.net' }],
    ['of a message that is not its own', { fromMe: false }],
  ])('%s counts as one of another’s message', (_, key) => {
    for (const edit of ['7', '1', '']) expect(read({ ...inGroup, edit }, key)).toEqual(anothers);
    expect(read(inGroup, key)).toEqual(anothers);
    expect(read(direct, key)).toEqual(anothers);
    // The network allows this for admins only.
    expect(read({ ...inGroup, edit: '8' }, key)).toEqual({ ...own, revokedByAdmin: true });
  });
});
