import { compileCheck, EVENT_SCHEMAS } from '@parley/contract';
import { expect, test } from 'vitest';
import type { NewEvent } from '#events';
import type { PastChat, PastMessage } from '#network';
import { StoreError } from '#platform/store';
import { createPastSink } from './past.ts';

const ADA = '15550002001@s.whatsapp.net';
const SESSION = '15550001001:1@s.whatsapp.net';
const number = { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001' };
const part = { id: 'part', type: 'recent', progress: 40 } as const;
const chat: PastChat = { chat: ADA, upTo: 1, unread: 0, archived: false, pinned: false, mutedUntil: null };

function message(messageId: string): PastMessage {
  return {
    event: {
      ...{ kind: 'message', id: messageId, timestamp: 1_784_365_200, messageId, chat: ADA, sender: ADA },
      ...{ senderName: 'Ada', isGroup: false, broadcast: false, content: { kind: 'text', text: messageId } },
    } as PastMessage['event'],
  };
}

const messages = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => message(`M${from + place}`));

/** A number that keeps: an entry is the name of what it was made of. */
function stage(refuse: (entries: readonly unknown[]) => Error | undefined = () => undefined) {
  const emitted: NewEvent[] = [];
  const kept: unknown[] = [];
  const warned: string[] = [];
  const past = {
    message: ({ message_id }: { message_id: string }) => [message_id],
    chat: () => ['chat'],
    progress: ({ state, messages }: { state: string; messages: number }) => [`${state} ${messages}`],
  };
  const keeper = { past, receipt: () => ['receipt'] };
  const sink = createPastSink({
    log: {
      async emit(news, _inbound, entries) {
        const refusal = refuse(entries);
        if (refusal) throw refusal;
        emitted.push(...news);
        kept.push(...entries);
      },
    },
    // What is made of it is the history's own matter.
    histories: { of: (slotId) => (slotId === number.slotId ? (keeper as never) : undefined) },
    clock: { now: () => 1_784_365_200_000 },
    warn: (_details, text) => void warned.push(text),
  });
  return { sink, emitted, kept, warned };
}

test('ignores a deletion of a message that another person wrote', async () => {
  const { sink, kept } = stage();
  const taker = sink({ number, sessionId: SESSION }, part);
  const revocation = { kind: 'other', text: '', revokedId: 'M1' } as const;
  const of = (messageId: string, content: PastMessage['event']['content']) => ({
    event: { ...message(messageId).event, content },
  });
  const messages = [of('OWN', revocation), of('FORGED', { ...revocation, changesAnothers: true })];
  await taker?.take({ messages, receipts: [], chats: [] });
  expect(kept.filter((entry) => ['OWN', 'FORGED'].includes(String(entry)))).toEqual(['OWN']);
});

test('has no taker for the past of a number without a history', () => {
  const { sink } = stage();
  expect(sink({ number: { ...number, slotId: 'slot_2' }, sessionId: SESSION }, part)).toBeUndefined();
});

test('keeps the past without events for its messages, and emits its progress under stable keys', async () => {
  const runs = [];
  for (const step of [2_000, 3_500]) {
    const { sink, emitted, kept } = stage();
    const taker = sink({ number, sessionId: SESSION }, part);
    for (let from = 0; from < 7_000; from += step)
      await taker?.take({ messages: messages(step, from), receipts: [], chats: from === 0 ? [chat] : [] });
    await taker?.end('done');
    const last = Math.ceil(7_000 / step) * step;
    expect(kept.filter((entry) => String(entry).startsWith('M'))).toHaveLength(last);
    expect(kept.at(-1)).toBe(`done ${last}`);
    for (const { event } of emitted) expect(compileCheck(EVENT_SCHEMAS[event.kind])(event)).toBeNull();
    expect(emitted.map(({ event }) => event)).toMatchObject([
      {
        kind: 'history',
        session_id: SESSION,
        event: 'progress',
        sync_type: 'recent',
        progress: 40,
        chats: 1,
      },
      { event: 'done', messages: last, chats: 1 },
    ]);
    runs.push(emitted.map(({ key }) => key));
  }
  expect(runs[0]).toEqual(runs[1]);
});

test('skips messages that can never be stored, and rejects when the database is out of reach', async () => {
  const poisoned = stage((entries) => (entries.includes('M3') ? new Error('no such value') : undefined));
  const taker = poisoned.sink({ number, sessionId: SESSION }, part);
  await taker?.take({ messages: messages(6), receipts: [], chats: [chat] });
  expect(poisoned.kept).toEqual(['M0', 'M1', 'M2', 'M4', 'M5', 'chat', 'running 6']);
  expect(poisoned.warned).toHaveLength(1);

  const away = stage(() => new StoreError('unavailable', 'gone for a while'));
  const waiting = away.sink({ number, sessionId: SESSION }, part);
  await expect(waiting?.take({ messages: messages(2), receipts: [], chats: [] })).rejects.toThrow('gone');
  expect(away.kept).toEqual([]);

  // Without messages there is nothing that could be left out.
  const refusing = stage((entries) => (entries.includes('chat') ? new Error('no such value') : undefined));
  const chats = refusing.sink({ number, sessionId: SESSION }, part);
  await expect(chats?.take({ messages: [], receipts: [], chats: [chat] })).rejects.toThrow('no such value');
  expect(refusing.warned).toEqual([]);
});
