import { beforeEach, describe, expect, test } from 'vitest';
import type { InboundContent } from '#network';
import {
  ADA,
  clearStage,
  common,
  GROUP,
  message,
  SESSION,
  SESSION_OWNER,
  stage,
  take,
} from './testing/sink.ts';

beforeEach(clearStage);

describe('a message', () => {
  test('says who has written to the number, and nothing of what is said in groups and stories', async () => {
    const text: InboundContent = { kind: 'text', text: 'Hi' };
    const lid = '123@lid';
    await take(
      message(text, { chat: lid }),
      message(text, { chat: GROUP, isGroup: true }),
      message(text, { broadcast: true }),
    );
    expect(stage.inbound).toEqual([
      { accountId: 'acc_1', slotId: 'slot_1', sessionId: SESSION, people: [lid, ADA], isOwn: false },
    ]);
  });

  test.each<[string, InboundContent, object]>([
    ['text', { kind: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
    [
      'a reaction',
      { kind: 'reaction', targetId: 'M0', emoji: '👍' },
      { type: 'reaction', text: '👍', reacted_message_id: 'M0' },
    ],
    [
      'a reaction taken back',
      { kind: 'reaction', targetId: 'M0', emoji: '' },
      { type: 'reaction', text: '', reacted_message_id: 'M0' },
    ],
    [
      'a location',
      { kind: 'location', latitude: 1.5, longitude: -2, name: 'Pier' },
      { type: 'location', text: '', location: { latitude: 1.5, longitude: -2, name: 'Pier' } },
    ],
    [
      'a poll',
      { kind: 'poll', name: 'Tea?', options: ['yes', 'no'], selectableCount: 0 },
      { type: 'poll', text: '', poll: { name: 'Tea?', options: ['yes', 'no'], selectable_count: 0 } },
    ],
    [
      'a pressed button',
      { kind: 'button_response', selectedId: 'b1', selectedText: 'Yes', paramsJson: '{}' },
      {
        type: 'button_response',
        text: 'Yes',
        button_response: { selected_id: 'b1', selected_text: 'Yes', params_json: '{}' },
      },
    ],
    ['anything else', { kind: 'other', text: '' }, { type: 'other', text: '' }],
    [
      'a location that is shared live',
      { kind: 'location', latitude: 1.5, longitude: -2, live: true },
      { type: 'location', text: '', location: { latitude: 1.5, longitude: -2, live: true } },
    ],
    [
      'an edit',
      { kind: 'other', text: 'The end', editedId: 'M0' },
      { type: 'other', text: 'The end', edited_message_id: 'M0' },
    ],
    [
      'a deletion',
      { kind: 'other', text: '', revokedId: 'M0' },
      { type: 'other', text: '', revoked_message_id: 'M0' },
    ],
    [
      'contact cards',
      { kind: 'other', text: 'Ben', contacts: [{ name: 'Ben', phones: ['15550002002'], vcard: 'V' }] },
      { type: 'other', text: 'Ben', contacts: [{ name: 'Ben', phones: ['15550002002'], vcard: 'V' }] },
    ],
  ])('with %s', async (_what, content, fields) => {
    expect(await take(message(content))).toEqual([{ ...common, ...fields }]);
  });

  test('carries what marks it, and nothing of what does not', async () => {
    const marks = { mentions: [ADA], forwarded: true, ephemeralSeconds: 0, viewOnce: true } as const;
    const sender = { senderLid: '77@lid', senderUsername: 'ada.l' };
    expect(await take(message({ kind: 'text', text: 'Hi' }, { ...marks, ...sender }))).toEqual([
      {
        ...common,
        type: 'text',
        text: 'Hi',
        sender_lid: '77@lid',
        sender_username: 'ada.l',
        mentions: [ADA],
        forwarded: true,
        ephemeral_seconds: 0,
        view_once: true,
      },
    ]);
  });

  test('in a group names its sender as the group does, and by phone where that is known', async () => {
    const inGroup = { chat: GROUP, isGroup: true, sender: '77@lid' };
    const [known] = await take(message({ kind: 'text', text: 'Hi' }, inGroup));
    expect(known).toMatchObject({
      chat_jid: GROUP,
      is_group: true,
      sender_jid: '77@lid',
      sender_phone: ADA,
    });
    const { senderPhone: _, ...hidden } = message({ kind: 'text', text: 'Hi' }, inGroup);
    expect((await take(hidden))[1]).not.toHaveProperty('sender_phone');
  });

  test('that is a story says so', async () => {
    const [story] = await take(
      message({ kind: 'text', text: 'Sun' }, { chat: 'status@broadcast', broadcast: true }),
    );
    expect(story).toMatchObject({ broadcast: true, chat_jid: 'status@broadcast', sender_jid: ADA });
  });

  test('that replies carries what it replies to', async () => {
    const [reply] = await take(
      message(
        { kind: 'text', text: 'Yes' },
        { quote: { messageId: 'Q', participant: ADA, text: 'Coming?' } },
      ),
    );
    expect(reply).toMatchObject({
      quoted_message_id: 'Q',
      quoted_participant: ADA,
      quoted_text: 'Coming?',
    });
  });
});

describe('a message of the number itself', () => {
  const own = message({ kind: 'text', text: 'I take over' }, { fromMe: true, sender: SESSION_OWNER });

  test('is published to those who ask for it', async () => {
    expect(await take(own)).toMatchObject([
      { kind: 'message', from_me: true, chat_jid: ADA, sender_jid: SESSION_OWNER, text: 'I take over' },
    ]);
    expect(stage.emitted.flat()).toMatchObject([{ extension: 'own_messages' }]);
    // A message from the phone opens a chat, and is no reply of the other person.
    expect(stage.inbound).toMatchObject([{ people: [ADA], isOwn: true }]);
    expect((await take(message({ kind: 'text', text: 'Hi' })))[1]).not.toHaveProperty('from_me');
    expect(stage.emitted.flat()[1]?.extension).toBeUndefined();
  });

  test('is not stored, and its file not fetched, when no webhook asks for it', async () => {
    stage.isAsked = false;
    stage.download = () => Promise.reject(new Error('not requested'));
    const media = { ref: { kind: 'image', token: 't' }, mimetype: 'image/jpeg', size: 4 } as const;
    expect(await take({ ...own, content: { kind: 'image', media } })).toEqual([]);
  });
});
