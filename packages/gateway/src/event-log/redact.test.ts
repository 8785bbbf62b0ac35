import type { PublicEvent } from '@parley/contract';
import { expect, test } from 'vitest';
import { redact, redactJson } from './redact.ts';

const message: Extract<PublicEvent, { kind: 'message' }> = {
  kind: 'message',
  message_id: 'A1',
  session_id: '15550001001:1@s.whatsapp.net',
  sender_jid: '15550002001@s.whatsapp.net',
  sender_name: 'Ben',
  chat_jid: '15550002001@s.whatsapp.net',
  is_group: false,
  type: 'text',
  text: 'Grüße 👋🏽',
  timestamp_unix: 1_784_365_200,
  broadcast: false,
};

test('text gives way to its length in bytes of UTF-8, everything else stays', () => {
  // Two letters of two bytes each, a hand and its skin tone of four each.
  expect(redact(message)).toEqual({
    ...message,
    sender_name: '[redacted: 3 bytes]',
    text: '[redacted: 16 bytes]',
  });
});

test('nothing is content too', () => {
  expect(redact({ ...message, text: '' })).toMatchObject({ text: '[redacted: 0 bytes]' });
});

test('every content field of a message is redacted, wherever it lies', () => {
  const everything = {
    ...message,
    quoted_message_id: 'Q1',
    quoted_participant: '15550002001@s.whatsapp.net',
    quoted_text: 'é',
    media: {
      mimetype: 'image/jpeg',
      extension: 'jpg',
      filename: 'cat.jpg',
      file_length: 3,
      data: 'AAAA',
      status: 'downloaded' as const,
    },
    location: { latitude: -33.8568, longitude: 151, name: 'Opera', address: '' },
    poll: { name: 'Tea?', options: ['yes', 'né'], selectable_count: 1 },
    button_response: { selected_id: 'b1', selected_text: 'Ja', params_json: '{"id":"b1"}' },
  };
  expect(redact(everything)).toEqual({
    ...everything,
    sender_name: '[redacted: 3 bytes]',
    text: '[redacted: 16 bytes]',
    quoted_text: '[redacted: 2 bytes]',
    media: { ...everything.media, filename: '[redacted: 7 bytes]', data: '[redacted: 4 bytes]' },
    location: {
      latitude: '[redacted: 8 bytes]',
      longitude: '[redacted: 3 bytes]',
      name: '[redacted: 5 bytes]',
      address: '[redacted: 0 bytes]',
    },
    poll: {
      name: '[redacted: 4 bytes]',
      options: ['[redacted: 3 bytes]', '[redacted: 3 bytes]'],
      selectable_count: 1,
    },
    button_response: {
      selected_id: '[redacted: 2 bytes]',
      selected_text: '[redacted: 2 bytes]',
      params_json: '[redacted: 11 bytes]',
    },
  });
});

test('a vote tells who and when, not for what: whoever knows the options knows their hashes', () => {
  const vote: PublicEvent = {
    kind: 'poll_vote',
    session_id: message.session_id,
    voter_jid: message.sender_jid,
    chat_jid: message.chat_jid,
    poll_message_id: 'P1',
    selected_hashes: ['85a39ab345d672ff8ca9b9c6876f3adcacf45ee7c1e2dbd2408fd338bd55e07e'],
    timestamp_unix: 1_784_365_200,
  };
  expect(redact(vote)).toEqual({ ...vote, selected_hashes: ['[redacted: 64 bytes]'] });
});

test('what the contract does not know is content, whatever it is', () => {
  const strange = { ...message, secret_note: 'x', extra: { deep: ['y'] } };
  expect(redact(strange)).toMatchObject({
    secret_note: '[redacted: 1 bytes]',
    extra: '[redacted: 14 bytes]',
  });
});

test('an event without content is left as it is', () => {
  const presence: PublicEvent = {
    kind: 'presence',
    session_id: message.session_id,
    contact_jid: message.sender_jid,
    online: true,
  };
  expect(redact(presence)).toBe(presence);
});

test('the original keeps its content', () => {
  redact(message);
  expect(message.text).toBe('Grüße 👋🏽');
});

test('an event as JSON is redacted alike, and left alone where it has no content', () => {
  expect(redactJson(JSON.stringify(message))).toBe(JSON.stringify(redact(message)));
  const online = { kind: 'presence', session_id: 'x', contact_jid: 'y', online: true };
  expect(redactJson(JSON.stringify(online))).toBeNull();
});

test('what is of another form than the contract says is content as a whole', () => {
  const odd = { ...message, media: 'AAAA', location: [1, 2], poll: { name: 'x', options: 'yes' } };
  expect(redact(odd as never)).toMatchObject({
    media: '[redacted: 4 bytes]',
    location: '[redacted: 5 bytes]',
    poll: { name: '[redacted: 1 bytes]', options: '[redacted: 3 bytes]' },
  });
  expect(redact({ ...message, location: null } as never)).toMatchObject({ location: '[redacted: 4 bytes]' });
});
