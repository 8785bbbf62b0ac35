import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { formatWamid, parseWamid, sendKey } from '../ids.ts';
import { type MessageEvent, messageOf, statusOf } from './format.ts';

const ADA = '15550002001@s.whatsapp.net';
const base: MessageEvent = {
  kind: 'message',
  message_id: 'IN1',
  session_id: '15550001001:1@s.whatsapp.net',
  sender_jid: ADA,
  sender_phone: ADA,
  sender_lid: '245100123456789@lid',
  sender_name: 'Ada',
  chat_jid: ADA,
  is_group: false,
  type: 'text',
  text: 'Hello',
  timestamp_unix: 1_784_365_200,
  broadcast: false,
};
const own = new Set(['OURS']);
const isOwn = async (id: string) => own.has(id);
const translated = async (change: Partial<MessageEvent>) => {
  const value = (await messageOf({ ...base, ...change }, isOwn)) as { messages: [Record<string, unknown>] };
  return value.messages[0];
};
const media = (mimetype: string, rest: object = {}) => ({
  mimetype,
  extension: 'x',
  file_length: 3,
  data: 'YWJj',
  status: 'downloaded' as const,
  id: 'med_1',
  ...rest,
});
const SHA = createHash('sha256').update('abc').digest('hex');

describe('incoming messages', () => {
  test('name the sender by number and by user id, and have an id for replies', async () => {
    const value = await messageOf(base, isOwn);
    expect(value).toEqual({
      contacts: [{ profile: { name: 'Ada' }, wa_id: '15550002001', user_id: 'XX.245100123456789' }],
      messages: [
        {
          from: '15550002001',
          from_user_id: 'XX.245100123456789',
          id: formatWamid({ fromMe: false, id: 'IN1', chat: ADA }),
          timestamp: '1784365200',
          type: 'text',
          text: { body: 'Hello' },
        },
      ],
    });
  });

  test.each<[string, Partial<MessageEvent>, object]>([
    [
      'image',
      { type: 'image', text: 'Look', media: media('image/png') },
      { type: 'image', image: { id: 'med_1', mime_type: 'image/png', sha256: SHA, caption: 'Look' } },
    ],
    [
      'a large document, without its sum',
      { type: 'document', text: '', media: media('application/pdf', { data: '', filename: 'a.pdf' }) },
      { type: 'document', document: { id: 'med_1', mime_type: 'application/pdf', filename: 'a.pdf' } },
    ],
    [
      'voice',
      { type: 'audio', text: '', media: media('audio/ogg; codecs=opus') },
      {
        type: 'audio',
        audio: { id: 'med_1', mime_type: 'audio/ogg; codecs=opus', sha256: SHA, voice: true },
      },
    ],
    [
      'sticker',
      { type: 'sticker', text: '', media: media('image/webp') },
      { type: 'sticker', sticker: { id: 'med_1', mime_type: 'image/webp', sha256: SHA, animated: false } },
    ],
    [
      'location',
      { type: 'location', text: '', location: { latitude: 1, longitude: 2, name: 'Port' } },
      { type: 'location', location: { latitude: 1, longitude: 2, name: 'Port' } },
    ],
    [
      'contact',
      { type: 'other', text: '', contacts: [{ name: 'Ben', phones: ['15550002002'], vcard: 'x' }] },
      {
        type: 'contacts',
        contacts: [
          {
            name: { formatted_name: 'Ben', first_name: 'Ben' },
            phones: [{ phone: '15550002002', type: 'CELL', wa_id: '15550002002' }],
          },
        ],
      },
    ],
    [
      'a reaction to ours',
      { type: 'reaction', text: '👍', reacted_message_id: 'OURS' },
      { type: 'reaction', reaction: { message_id: formatWamid({ fromMe: true, id: 'OURS' }), emoji: '👍' } },
    ],
    [
      'a reaction to theirs, taken back',
      { type: 'reaction', text: '', reacted_message_id: 'IN0' },
      { type: 'reaction', reaction: { message_id: formatWamid({ fromMe: false, id: 'IN0', chat: ADA }) } },
    ],
    [
      'a button',
      { type: 'button_response', text: 'Yes', button_response: { selected_id: 'y', selected_text: 'Yes' } },
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } },
      },
    ],
    [
      'a row of a list',
      {
        type: 'button_response',
        text: 'Row',
        button_response: { selected_id: 'list_reply:r', selected_text: 'Row' },
      },
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'r', title: 'Row' } } },
    ],
    [
      'a button of a template',
      {
        type: 'button_response',
        text: 'Stop',
        button_response: { selected_id: 'button:stop-1', selected_text: 'Stop' },
      },
      { type: 'button', button: { payload: 'stop-1', text: 'Stop' } },
    ],
    [
      'a poll',
      { type: 'poll', text: '', poll: { name: 'q', options: ['a', 'b'], selectable_count: 1 } },
      { type: 'unsupported', unsupported: { type: 'poll' }, errors: [{ code: 131051 }] },
    ],
  ])('%s', async (_name, change, expected) => {
    expect(await translated(change)).toMatchObject(expected);
  });

  test('name the quoted message, of any author', async () => {
    const answering = async (change: Partial<MessageEvent>) => (await translated(change))?.context;
    expect(await answering({ quoted_message_id: 'OURS', quoted_participant: '9@lid' })).toEqual({
      from: '15550001001',
      id: formatWamid({ fromMe: true, id: 'OURS' }),
    });
    expect(await answering({ quoted_message_id: 'IN0', quoted_participant: ADA, forwarded: true })).toEqual({
      forwarded: true,
      from: '15550002001',
      id: formatWamid({ fromMe: false, id: 'IN0', chat: ADA }),
    });
    expect(await answering({ forwarded: true })).toEqual({ forwarded: true });
  });

  test('name the group beside the sender', async () => {
    const chat = '120363041234567890@g.us';
    const message = await translated({
      chat_jid: chat,
      is_group: true,
      sender_jid: '77@lid',
      sender_phone: undefined,
      sender_lid: undefined,
    });
    expect(message).toMatchObject({ from_user_id: 'XX.77', group_id: chat });
    expect(message).not.toHaveProperty('from');
    expect(parseWamid(String(message?.id))).toEqual({
      fromMe: false,
      id: 'IN1',
      chat,
      participant: '77@lid',
    });
  });

  test('leave out stories and messages of the number itself', async () => {
    expect(await messageOf({ ...base, broadcast: true }, isOwn)).toBeUndefined();
    expect(await messageOf({ ...base, from_me: true }, isOwn)).toBeUndefined();
  });
});

describe('statuses', () => {
  const key = sendKey({ body: { a: 1 }, callbackData: 'order:7' }, () => 'unused');
  const common = { session_id: base.session_id, request_id: key, timestamp_unix: 5 };
  const id = formatWamid({ fromMe: true, id: 'OURS' });

  test('sent, delivered, read and played have the id from the answer to the send', () => {
    const sent = { kind: 'status', ...common, message_id: 'OURS', to: ADA, status: 'sent' } as const;
    const rest = { id, timestamp: '5', recipient_id: '15550002001', biz_opaque_callback_data: 'order:7' };
    expect(statusOf(sent)).toEqual({ statuses: [{ ...rest, status: 'sent' }] });
    for (const receipt_type of ['delivered', 'read', 'played'] as const) {
      const receipt = {
        kind: 'receipt',
        ...common,
        network_message_id: 'OURS',
        recipient_jid: ADA,
        receipt_type,
      } as const;
      expect(statusOf(receipt)).toEqual({ statuses: [{ ...rest, status: receipt_type }] });
    }
  });

  test('a failure has its reason as a code of the Graph API', () => {
    const failed = {
      kind: 'status',
      ...common,
      request_id: 'of another surface',
      message_id: 'OURS',
      to: '77@lid',
      status: 'failed',
      reason: 'INVALID_RECIPIENT',
      detail: 'not on the network',
    } as const;
    expect(statusOf(failed)).toEqual({
      statuses: [
        {
          id,
          status: 'failed',
          timestamp: '5',
          recipient_user_id: 'XX.77',
          errors: [
            {
              code: 131026,
              title: 'Message undeliverable',
              message: 'Message undeliverable',
              error_data: { details: 'not on the network' },
            },
          ],
        },
      ],
    });
  });
});
