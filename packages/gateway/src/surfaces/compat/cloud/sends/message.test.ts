import { parseSend } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { GraphError } from '../graph-error.ts';
import { formatWamid } from '../ids.ts';
import { mapSend } from './message.ts';

const ME = '15550001001';
const ADA = '15550002001';
const ADA_JID = `${ADA}@s.whatsapp.net`;
const GROUP = '120363041234567890@g.us';
const theirs = formatWamid({ fromMe: false, id: 'THEIRS', chat: ADA_JID });
const ours = formatWamid({ fromMe: true, id: 'OURS' });

const sending = {
  phone: ME,
  template: () => {
    throw new GraphError(132001, 'no template');
  },
};

function mapped(message: object) {
  const { body } = mapSend({ messaging_product: 'whatsapp', to: `+${ADA}`, ...message }, sending);
  const parsed = parseSend(body);
  if (!parsed.ok) throw new Error(parsed.text);
  const { session_id: _session, to: _to, kind, ...rest } = parsed.send as Record<string, unknown>;
  return { kind, ...rest };
}

function refusal(message: object): GraphError {
  try {
    mapSend({ messaging_product: 'whatsapp', to: ADA, ...message }, sending);
  } catch (error) {
    if (error instanceof GraphError) return error;
    throw error;
  }
  throw new Error('was taken');
}

describe('maps every type of message', () => {
  test.each<[string, object, object]>([
    ['text', { type: 'text', text: { body: 'Hi', preview_url: true } }, { kind: 'text', text: 'Hi' }],
    ['text without a type', { text: { body: 'Hi' } }, { kind: 'text', text: 'Hi' }],
    [
      'image by link',
      { type: 'image', image: { link: 'https://a.example/b.png', caption: 'Look' } },
      { kind: 'media', media_type: 'image', media_url: 'https://a.example/b.png', caption: 'Look' },
    ],
    [
      'document by id',
      { type: 'document', document: { id: 'med_01', filename: 'a.pdf' } },
      { kind: 'media', media_type: 'document', media_id: 'med_01', file_name: 'a.pdf' },
    ],
    [
      'audio',
      { type: 'audio', audio: { id: 'med_01', voice: true } },
      { kind: 'media', media_type: 'audio', media_id: 'med_01' },
    ],
    [
      'sticker',
      { type: 'sticker', sticker: { link: 'https://a.example/b.webp' } },
      { kind: 'sticker', type: 'sticker', sticker_url: 'https://a.example/b.webp' },
    ],
    [
      'location with numbers as text',
      { type: 'location', location: { latitude: '53.5', longitude: 9.9, name: 'Port', address: 'Hamburg' } },
      {
        kind: 'location',
        type: 'location',
        latitude: 53.5,
        longitude: 9.9,
        loc_name: 'Port',
        loc_address: 'Hamburg',
      },
    ],
    [
      'reaction to theirs',
      { type: 'reaction', reaction: { message_id: theirs, emoji: '👍' } },
      {
        kind: 'reaction',
        type: 'reaction',
        reacted_message_id: 'THEIRS',
        emoji: '👍',
        reacted_participant: ADA_JID,
      },
    ],
    [
      'reaction to ours, taken back',
      { type: 'reaction', reaction: { message_id: ours, emoji: '' } },
      { kind: 'reaction', type: 'reaction', reacted_message_id: 'OURS', emoji: '', reacted_from_me: true },
    ],
    [
      'buttons',
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'Order' },
          body: { text: 'Today?' },
          footer: { text: 'Shop' },
          action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
        },
      },
      {
        kind: 'interactive',
        type: 'interactive',
        interactive_body: '*Order*\n\nToday?',
        interactive_footer: 'Shop',
        interactive_buttons: [{ type: 'quick_reply', display_text: 'Yes', id: 'y' }],
      },
    ],
    [
      'a list whose section has no title',
      {
        type: 'interactive',
        interactive: {
          type: 'list',
          body: { text: 'Which?' },
          action: {
            button: 'Choose',
            sections: [{ rows: [{ id: 'r', title: 'Row', description: 'more' }] }],
          },
        },
      },
      {
        kind: 'interactive',
        type: 'interactive',
        interactive_body: 'Which?',
        interactive_buttons: [
          {
            type: 'single_select',
            display_text: 'Choose',
            sections: [
              { title: 'Choose', rows: [{ id: 'list_reply:r', title: 'Row', description: 'more' }] },
            ],
          },
        ],
      },
    ],
    [
      'a link button',
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          body: { text: 'Track' },
          action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://a.example/1' } },
        },
      },
      {
        kind: 'interactive',
        type: 'interactive',
        interactive_body: 'Track',
        interactive_buttons: [{ type: 'cta_url', display_text: 'Open', url: 'https://a.example/1' }],
      },
    ],
    [
      'a request for a location, as its words',
      {
        type: 'interactive',
        interactive: {
          type: 'location_request_message',
          body: { text: 'Where are you?' },
          action: { name: 'send_location' },
        },
      },
      { kind: 'text', text: 'Where are you?' },
    ],
  ])('%s', (_name, message, expected) => {
    expect(mapped(message)).toEqual(expected);
  });

  test('maps a contact to a card that a phone can write to', () => {
    const contact = {
      name: { formatted_name: 'Ben; Smith', first_name: 'Ben', last_name: 'Smith' },
      phones: [{ phone: '+1 555 000 2002', type: 'WORK' }],
      emails: [{ email: 'ben@a.example', type: 'HOME' }],
      org: { company: 'Shop, Inc', title: 'Boss' },
      addresses: [{ street: 'Main 1', city: 'Hamburg', type: 'HOME' }],
      urls: [{ url: 'https://a.example' }],
      birthday: '2000-01-02',
    };
    expect(mapped({ type: 'contacts', contacts: [contact] })).toMatchObject({
      kind: 'contact',
      display_name: 'Ben; Smith',
      vcard: [
        'BEGIN:VCARD',
        'VERSION:3.0',
        'N:Smith;Ben;;;',
        'FN:Ben\\; Smith',
        'TEL;TYPE=WORK;waid=15550002002:+1 555 000 2002',
        'EMAIL;TYPE=HOME:ben@a.example',
        'URL:https://a.example',
        'ADR;TYPE=HOME:;;Main 1;Hamburg;;;',
        'ORG:Shop\\, Inc',
        'TITLE:Boss',
        'BDAY:2000-01-02',
        'END:VCARD',
      ].join('\n'),
    });
  });
});

describe('replies and recipients', () => {
  test('quotes their message by its author, and ours by the number itself', () => {
    const reply = (id: string) => mapped({ text: { body: 'Hi' }, context: { message_id: id } });
    expect(reply(theirs)).toMatchObject({ quoted_message_id: 'THEIRS', quoted_participant: ADA_JID });
    expect(reply(ours)).toMatchObject({
      quoted_message_id: 'OURS',
      quoted_participant: `${ME}@s.whatsapp.net`,
    });
    const inGroup = formatWamid({ fromMe: false, id: 'G', chat: GROUP, participant: '77@lid' });
    expect(reply(inGroup)).toMatchObject({ quoted_message_id: 'G', quoted_participant: '77@lid' });
  });

  test.each([
    [{ to: '+1 (555) 000-2001' }, ADA_JID],
    [{ to: undefined, recipient: 'XX.245100123456789' }, '245100123456789@lid'],
    [{ to: GROUP, recipient_type: 'group' }, GROUP],
    [{ to: '120363041234567890', recipient_type: 'group' }, GROUP],
  ])('%j', (address, jid) => {
    const message = { messaging_product: 'whatsapp', text: { body: 'Hi' }, ...address };
    expect(mapSend(message, sending).body.to).toBe(jid);
  });
});

describe('refuses what cannot be sent, by its name', () => {
  test.each<[object, number, string]>([
    [{ messaging_product: undefined, text: { body: 'x' } }, 100, 'messaging_product'],
    [{ to: undefined, text: { body: 'x' } }, 100, 'to is required'],
    [{ to: 'invalid', text: { body: 'x' } }, 131009, 'no recipient'],
    [{ type: 'text' }, 100, 'text is required'],
    [{ type: 'text', text: 'Hi' }, 100, 'text must be a JSON object'],
    [{ type: 'image', image: {} }, 100, 'exactly one of id and link'],
    [{ type: 'image', image: { id: 'a', link: 'b' } }, 100, 'exactly one of id and link'],
    [{ type: 'location', location: { latitude: 'here', longitude: 1 } }, 100, "location['latitude']"],
    [{ type: 'reaction', reaction: { message_id: 'wamid.HBgM', emoji: '👍' } }, 131009, 'not known here'],
    [{ type: 'contacts', contacts: [{}, {}] }, 131009, 'one contact'],
    [{ type: 'order', order: {} }, 131051, 'order'],
    [{ type: 'interactive', interactive: { type: 'flow' } }, 131051, 'flow'],
    [{ text: { body: 'x' }, biz_opaque_callback_data: 'x'.repeat(201) }, 100, 'biz_opaque_callback_data'],
    [{ type: 'template', template: { name: 'a' } }, 132001, 'no template'],
  ])('%j', (message, code, words) => {
    const error = refusal(message);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });
});
