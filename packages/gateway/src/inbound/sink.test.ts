import { compileCheck, EVENT_SCHEMAS } from '@parley/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { NewEvent } from '#events';
import { type ChatEvent, type MessageEvent, NetworkError } from '#network';
import { StoreError } from '#platform/store';
import { createNetworkEventSink } from './sink.ts';
import {
  ADA,
  chatOf,
  clearStage,
  GROUP,
  groups,
  message,
  SESSION,
  SESSION_OWNER,
  stage,
  take,
  undisturbed,
} from './testing/sink.ts';

beforeEach(clearStage);

test('what could not be committed is not taken: the driver keeps it, and it is tried once in an outage', async () => {
  let tries = 0;
  const sink = createNetworkEventSink({
    log: {
      emit() {
        tries += 1;
        return Promise.reject(new StoreError('unavailable', 'no database'));
      },
    },
    receipts: { note: async () => '' },
    ...undisturbed,
  });
  const listening = {
    number: { accountId: 'a', slotId: 's', phone: '1' },
    sessionId: SESSION,
    session: { download: async () => new Uint8Array(), chatOf, groups },
  };
  await expect(sink(listening, [message({ kind: 'text', text: 'x' })])).rejects.toThrow('no database');
  expect(tries).toBe(1);
});

test('stores nothing for an empty batch', async () => {
  expect(await take()).toEqual([]);
  expect(stage.emitted).toEqual([]);
});

test('publishes each change of a chat by its owner, and deletes the messages of a deleted chat', async () => {
  const swept: string[] = [];
  const kept: unknown[] = [];
  const published: NewEvent[] = [];
  const keeper = { chat: ({ change }: { change: { type: string } }) => [change.type] };
  const sink = createNetworkEventSink({
    log: {
      async emit(news, _inbound, entries) {
        published.push(...news);
        kept.push(...entries);
      },
    },
    ...undisturbed,
    receipts: { note: async () => '' },
    // What is made of it is the history's own matter.
    histories: { of: () => keeper as never },
    book: { ...undisturbed.book, sweep: async (slotId, chat) => void swept.push(`${slotId} ${chat}`) },
  });
  const changes: ChatEvent['change'][] = [
    { type: 'read', on: true, upTo: 7 },
    { type: 'read', on: false },
    { type: 'archived', on: false },
    { type: 'pinned', on: true },
    { type: 'muted', until: -1 },
    { type: 'muted', until: 1_784_451_600_000 },
    { type: 'muted', until: null },
    { type: 'cleared' },
    { type: 'deleted', upTo: 7 },
  ];
  const events = changes.map((change, place) => ({
    ...{ kind: 'chat', id: `chat/${place}`, timestamp: 1_784_365_200, chat: ADA, change },
  })) as ChatEvent[];
  const session = { chatOf, groups, download: () => Promise.reject(new Error('no file')) };
  const number = { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001' };
  await sink({ number, sessionId: SESSION, session }, events);
  for (const { event } of published) expect(compileCheck(EVENT_SCHEMAS[event.kind])(event)).toBeNull();
  expect(published.map(({ event }) => (event.kind === 'chat' ? event.event : ''))).toEqual([
    ...['read', 'unread', 'unarchived', 'pinned', 'muted', 'muted', 'unmuted', 'cleared', 'deleted'],
  ]);
  expect(
    published.map(({ event }) => ('muted_until_unix' in event ? event.muted_until_unix : undefined)),
  ).toEqual([
    ...[
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      1_784_451_600,
      undefined,
      undefined,
      undefined,
    ],
  ]);
  expect(kept).toHaveLength(changes.length);
  expect(swept).toEqual([`slot_1 ${ADA}`, `slot_1 ${ADA}`]);
});

describe('a message that is taken back', () => {
  const LID = '77@lid';
  const take_back = (more: object = {}, head: Partial<MessageEvent> = { chat: GROUP, isGroup: true }) =>
    take(message({ kind: 'other', text: '', revokedId: 'R', ...more }, head));
  const anothers = { changesAnothers: true } as const;

  test('by its author, or by an admin that the network has checked, is published', async () => {
    expect(await take_back()).toMatchObject([{ revoked_message_id: 'R' }]);
    clearStage();
    expect(await take_back({ revokedByAdmin: true })).toMatchObject([{ revoked_message_id: 'R' }]);
  });

  test('by a member who did not write it is neither published nor kept', async () => {
    stage.keeper = { message: () => expect.fail('nothing is kept of it') } as never;
    stage.admins = [SESSION_OWNER];
    expect(await take_back(anothers)).toEqual([]);
    expect(await take_back(anothers, {})).toEqual([]);
  });

  test('by an admin who does not claim the role is published, and deletes the stored message of any author', async () => {
    const words: unknown[] = [];
    stage.keeper = {
      message(_: unknown, network: unknown) {
        words.push(network);
        return [];
      },
    } as never;
    for (const admin of [ADA, LID]) {
      stage.admins = [admin];
      const head = { chat: GROUP, isGroup: true, sender: LID, senderLid: LID, senderPhone: ADA };
      expect(await take_back(anothers, head)).toMatchObject([{ revoked_message_id: 'R' }]);
      stage.emitted = [];
    }
    expect(words).toEqual([{ byAdmin: true }, { byAdmin: true }]);
  });

  test('is not published while the sender’s role is unknown', async () => {
    stage.admins = [ADA];
    stage.groupsFailure = new NetworkError('offline', 'no connection');
    expect(await take_back(anothers)).toEqual([]);
    stage.groupsFailure = new TypeError('a defect');
    await expect(take_back(anothers)).rejects.toThrow();
  });

  test('claimed as the sender’s own is not published where the number has sent the message', async () => {
    stage.sent = ['R'];
    expect(await take_back()).toEqual([]);
    expect(await take_back({}, {})).toEqual([]);
    const head = { chat: GROUP, isGroup: true, sender: SESSION_OWNER, fromMe: true } as const;
    expect(await take_back({}, head)).toMatchObject([{ revoked_message_id: 'R' }]);
    stage.emitted = [];
    expect(await take_back({ revokedByAdmin: true })).toMatchObject([{ revoked_message_id: 'R' }]);
  });

  test('claimed as the sender’s own is not published where the stored message has another author', async () => {
    stage.isKeptOfAnother = true;
    expect(await take_back()).toEqual([]);
    expect(await take_back({ revokedByAdmin: true })).toMatchObject([{ revoked_message_id: 'R' }]);
  });
});

test('an outage while a batch is stored one by one keeps the rest for later, and puts nothing aside', async () => {
  const stored: string[] = [];
  let isReachable = false;
  const sink = createNetworkEventSink({
    ...undisturbed,
    log: {
      async emit(news) {
        if (news.length > 1) throw new StoreError('statement_failed', 'refused');
        if (news.some(({ key }) => key === 'second') && !isReachable)
          throw new StoreError('unavailable', 'no database');
        stored.push(...news.map(({ key }) => key));
      },
    },
    receipts: { note: async () => '' },
  });
  const listening = {
    number: { accountId: 'a', slotId: 's', phone: '1' },
    sessionId: SESSION,
    session: { download: async () => new Uint8Array(), chatOf, groups },
  };
  const events = ['first', 'second', 'third'].map((id) => message({ kind: 'text', text: 'x' }, { id }));
  await expect(sink(listening, events)).rejects.toThrow('no database');
  expect(stored).toEqual(['first']);
  // The driver has kept all of it; what was stored already is known by its key.
  isReachable = true;
  await sink(listening, events);
  expect(stored).toEqual(['first', 'first', 'second', 'third']);
});

test('publishes a message only after its file can be fetched', async () => {
  const order: string[] = [];
  const noting = Promise.withResolvers<void>();
  const sink = createNetworkEventSink({
    ...undisturbed,
    log: { emit: async () => void order.push('published') },
    receipts: { note: async () => '' },
    files: {
      name: undisturbed.files.name,
      async note() {
        order.push('noting');
        await noting.promise;
        order.push('noted');
      },
    },
  });
  const listening = {
    number: { accountId: 'a', slotId: 's', phone: '1' },
    sessionId: SESSION,
    session: { download: async () => new Uint8Array(), chatOf, groups },
  };
  const media = { ref: { kind: 'image', token: 't' }, mimetype: 'image/jpeg', size: 4 } as const;
  const taken = sink(listening, [message({ kind: 'image', media })]);
  await vi.waitFor(() => expect(order).toContain('noting'));
  await new Promise(setImmediate);
  noting.resolve();
  await taken;
  expect(order).toEqual(['noting', 'noted', 'published']);

  const failing = createNetworkEventSink({
    ...undisturbed,
    log: { emit: async () => void order.push('published all the same') },
    receipts: { note: async () => '' },
    files: {
      name: undisturbed.files.name,
      note: () => Promise.reject(new StoreError('unavailable', 'no database')),
    },
  });
  await expect(failing(listening, [message({ kind: 'image', media })])).rejects.toThrow('no database');
  expect(order).not.toContain('published all the same');
});

test('quarantines an event after three tries, and publishes the rest of its batch in order', async () => {
  const stored: string[] = [];
  const putAside: string[] = [];
  const pauses: number[] = [];
  const counted: string[] = [];
  let tries = 0;
  const sink = createNetworkEventSink({
    log: {
      async emit(news) {
        if (news.some(({ key }) => key === 'bad')) {
          if (news.length === 1) tries++;
          throw new StoreError('statement_failed', 'refused');
        }
        stored.push(...news.map(({ key }) => key));
      },
    },
    asked: undisturbed.asked,
    sent: undisturbed.sent,
    book: undisturbed.book,
    histories: undisturbed.histories,
    files: undisturbed.files,
    lines: undisturbed.lines,
    receipts: { note: async () => '' },
    quarantine: { keep: async (_, { id }) => void putAside.push(id) },
    clock: { sleep: async (ms) => void pauses.push(ms) },
    onReceived: (kind) => void counted.push(kind),
  });
  const listening = {
    number: { accountId: 'a', slotId: 's', phone: '1' },
    sessionId: SESSION,
    session: { download: async () => new Uint8Array(), chatOf, groups },
  };
  const named = (id: string) => message({ kind: 'text', text: 'x' }, { id });
  await sink(listening, ['first', 'bad', 'last'].map(named));
  expect({ stored, putAside, tries }).toEqual({ stored: ['first', 'last'], putAside: ['bad'], tries: 3 });
  expect(pauses).toEqual([200, 200]);
  // What could not be stored is counted with the quarantine.
  expect(counted).toEqual(['message', 'message']);
});
