import { EVENT_KINDS, EVENT_SCHEMAS, type EventKind, type PublicEvent } from '@parley/contract';
import { expect, test } from 'vitest';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import { createEventLog } from './log.ts';
import { sealContext } from './payload.ts';
import { textEvent } from './testing/index.ts';

const clock = createSteppedClock();
const sealedBox = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
const { prepare: prepareEvent } = createEventLog({
  store: { run: () => Promise.reject(new Error('nothing is written here')) },
  bus: { publish: () => {} },
  sealedBox,
  clock,
});
const prepare = (key: string, event: PublicEvent) =>
  prepareEvent({ accountId: 'a', slotId: 's', key, event });

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
