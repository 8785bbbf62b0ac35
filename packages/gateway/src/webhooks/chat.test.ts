import { EVENT_KINDS, EVENT_SCHEMAS, type EventKind, type PublicEvent } from '@parley/contract';
import { expect, test } from 'vitest';
import { chatOf } from './chat.ts';

const ADA = '15550002001@s.whatsapp.net';

function exampleOf(kind: EventKind): PublicEvent {
  const [example] = (EVENT_SCHEMAS[kind] as { examples?: PublicEvent[] }).examples ?? [];
  if (!example) throw new Error(`no example of ${kind}`);
  return example;
}

test('all that happens with one person is of one chat, whatever its kind', () => {
  const chats = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, chatOf(exampleOf(kind))]));
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
  });
});
