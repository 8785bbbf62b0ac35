import { EVENT_KINDS, EVENT_SCHEMAS, type EventKind, type PublicEvent } from '@parley/contract';
import { beforeEach, expect, test } from 'vitest';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import { createEventLog, redact, redactJson } from './log.ts';
import { sealContext } from './payload.ts';
import { plainEvent } from './plain-event.ts';
import { HEALTH_EVENT, textEvent } from './testing/index.ts';

const clock = createSteppedClock();
const sealedBox = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
const published: string[] = [];
const parts = {
  store: { run: () => Promise.reject(new Error('nothing is written here')) },
  bus: { publish: (topic: string) => void published.push(topic) },
  sealedBox,
  clock,
};
const { prepare: prepareEvent, announce, emit } = createEventLog(parts);
const prepare = (key: string, event: PublicEvent) =>
  prepareEvent({ accountId: 'a', slotId: 's', key, event });

beforeEach(() => {
  published.length = 0;
});

const presence: PublicEvent = { kind: 'presence', session_id: 'x', contact_jid: 'y', online: true };

test('content travels sealed for its own place, next to a redacted copy', () => {
  const event = textEvent('M1', 'secret');
  const { sealed, body, size } = prepare('k', event);
  expect(JSON.parse(body)).toEqual({
    ...event,
    sender_name: '[redacted: 3 bytes]',
    text: '[redacted: 6 bytes]',
  });
  expect(size).toBe(Buffer.byteLength(JSON.stringify(event)));
  const opened = sealedBox.open(sealed ?? new Uint8Array(), sealContext('s', 'k'));
  expect(JSON.parse(Buffer.from(opened).toString())).toEqual(event);
  expect(() => sealedBox.open(sealed ?? new Uint8Array(), sealContext('s', 'other'))).toThrow();
});

test('an event without content is its own redacted copy', () => {
  expect(prepare('k', presence)).toMatchObject({ sealed: null, body: JSON.stringify(presence) });
});

test('a message goes by its own id, everything else by one made of its key, always the same', () => {
  expect(prepare('k', textEvent('3EB0C767D71C5A4F1D2B')).id).toBe('3EB0C767D71C5A4F1D2B');
  expect(prepare('k', presence).id).toMatch(/^presence_[\w-]{22}$/);
  expect(prepare('k', presence).id).toBe(prepare('k', presence).id);
  expect(prepare('k', presence).id).not.toBe(prepare('l', presence).id);
});

test.each(['', 'a\r\nX-Evil: 1', 'ключ', 'x'.repeat(200), 'a b'])(
  'a message id that cannot stand in a header is not put into one: %j',
  (id) => {
    expect(prepare('k', textEvent(id)).id).toMatch(/^message_[\w-]{22}$/);
  },
);

const ADA = '15550002001@s.whatsapp.net';

function exampleOf(kind: EventKind): PublicEvent {
  const [example] = (EVENT_SCHEMAS[kind] as { examples?: PublicEvent[] }).examples ?? [];
  if (!example) throw new Error(`no example of ${kind}`);
  return example;
}

test('all that happens with one person is of one chat, whatever its kind', () => {
  const chats = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, prepare('k', exampleOf(kind)).chat]));
  expect(chats).toMatchObject({
    message: ADA,
    receipt: ADA,
    status: ADA,
    poll_vote: ADA,
    typing: ADA,
    presence: ADA,
    call: ADA,
    newsletter_message: '120363107654321098@newsletter',
    connection: '',
    health: '',
  });
});

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

test('is kept for three days, and for five minutes where it is not recorded', () => {
  const typing = { kind: 'typing', session_id: 'x', sender_jid: ADA, chat_jid: ADA } as const;
  const fleeting: PublicEvent = { ...typing, is_group: false, typing: true, media: 'text' };
  const keptFor = (event: PublicEvent) => prepare('k', event).expiresAt - clock.now();
  expect([presence, textEvent('M1'), fleeting].map(keptFor)).toEqual([3 * DAY, 3 * DAY, 300 * SECOND]);
});

test('is for everybody, for those who ask for its kind, or for those who ask for what it says itself', () => {
  const extensionOf = (event: PublicEvent, extension?: 'own_messages') =>
    prepareEvent({ accountId: 'a', slotId: 's', key: 'k', event, extension }).extension;
  expect(extensionOf(presence)).toBeNull();
  expect(extensionOf(HEALTH_EVENT)).toBe('health');
  expect(extensionOf(textEvent('M1'), 'own_messages')).toBe('own_messages');
});

test('is the same without content, also where it is made inside of a transaction', () => {
  const connection = exampleOf('connection');
  if (connection.kind !== 'connection') throw new Error('it is of its kind');
  for (const event of [HEALTH_EVENT, connection])
    expect(plainEvent({ accountId: 'a', slotId: 's', key: 'k', at: clock.now(), event })).toEqual(
      prepare('k', event),
    );
});

test('is announced once to those who deliver and to those who read along each account', () => {
  announce([]);
  expect(published).toEqual([]);
  const of = ['a', 'b', 'a'].map((accountId) => ({ accountId }));
  announce(of);
  expect(published.splice(0)).toEqual(['deliveries', 'events.a', 'events.b']);
  // The store notifies the dispatcher.
  createEventLog({ ...parts, isNotifiedByStore: true }).announce(of);
  expect(published).toEqual(['events.a', 'events.b']);
});

test('is announced when it is written, and not before', async () => {
  await expect(emit([{ accountId: 'a', slotId: 's', key: 'k', event: presence }])).rejects.toThrow('nothing');
  expect(published).toEqual([]);
  // Where there is none nothing is written.
  await emit([]);
});

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
  // Two characters of two bytes each, a hand and its skin tone of four each.
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

test('keeps the voter and time of a vote, and removes the hashes, which reveal the options', () => {
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
