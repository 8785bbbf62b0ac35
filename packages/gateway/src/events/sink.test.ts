import type { PublicEvent, InboundMedia as PublicMedia } from '@parley/contract';
import { compileCheck, EVENT_SCHEMAS } from '@parley/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewEvent } from '#event-log';
import type { NumberKeeper } from '#history';
import {
  type ChatEvent,
  type GroupChange,
  type InboundContent,
  type MessageEvent,
  NetworkError,
  type NetworkEvent,
} from '#network';
import { StoreError } from '#store';
import { createNetworkEventSink, type ListeningSession } from './sink.ts';

const MEGABYTE = 1024 * 1024;
const SESSION = '15550001001:1@s.whatsapp.net';
const SESSION_OWNER = '15550001001@s.whatsapp.net';
const ADA = '15550002001@s.whatsapp.net';
const GROUP = '120363041234567890@g.us';

const chatOf = async (jid: string): Promise<string> => jid;

/** Nothing is put aside here, and nothing waits. */
const undisturbed = {
  asked: async () => isAsked,
  histories: { of: () => keeper },
  files: {
    name: async ({ slotId }: { slotId: string }, event: string) => ({
      id: `med_${slotId}_${event}`,
      url: 'https://a/f',
    }),
    note: async (_number: object, arrived: object) => void arrivals.push(arrived),
  },
  book: { sweep: () => Promise.reject(new Error('nothing was to be swept')) },
  quarantine: { keep: () => Promise.reject(new Error('nothing was to be put aside')) },
  clock: { sleep: async () => {} },
};

let isAsked: boolean;
let emitted: NewEvent[][];
let download: ListeningSession['session']['download'];
let noted: unknown[];
let inbound: unknown[];
let keeper: NumberKeeper | undefined;
let arrivals: unknown[];

beforeEach(() => {
  isAsked = true;
  emitted = [];
  noted = [];
  inbound = [];
  keeper = undefined;
  arrivals = [];
  download = async () => Buffer.from('file');
});

async function take(...events: NetworkEvent[]): Promise<PublicEvent[]> {
  const sink = createNetworkEventSink({
    log: {
      async emit(news, people) {
        emitted.push([...news]);
        inbound.push(...people);
      },
    },
    receipts: {
      note: async (receipt) => {
        noted.push(receipt);
        return receipt.messageId === 'OURS' ? 'order-1042' : '';
      },
    },
    ...undisturbed,
  });
  const number = { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001' };
  const session = { download: (...args: Parameters<typeof download>) => download(...args), chatOf };
  await sink({ number, sessionId: SESSION, session }, events);
  const told = emitted.flat().map(({ event }) => event);
  for (const event of told) expect(compileCheck(EVENT_SCHEMAS[event.kind])(event)).toBeNull();
  return told;
}

function message(content: InboundContent, more: Partial<MessageEvent> = {}): MessageEvent {
  return {
    kind: 'message',
    id: `message/${ADA}/M1`,
    timestamp: 1_784_365_200,
    messageId: 'M1',
    chat: ADA,
    sender: ADA,
    senderPhone: ADA,
    senderName: 'Ada',
    isGroup: false,
    broadcast: false,
    content,
    ...more,
  };
}

const common = {
  kind: 'message',
  message_id: 'M1',
  session_id: SESSION,
  sender_jid: ADA,
  sender_phone: ADA,
  sender_name: 'Ada',
  chat_jid: ADA,
  is_group: false,
  timestamp_unix: 1_784_365_200,
  broadcast: false,
};

describe('a message', () => {
  test('says who has written to the number, and nothing of what is said in groups and stories', async () => {
    const text: InboundContent = { kind: 'text', text: 'Hi' };
    const lid = '123@lid';
    await take(
      message(text, { chat: lid }),
      message(text, { chat: GROUP, isGroup: true }),
      message(text, { broadcast: true }),
    );
    expect(inbound).toEqual([
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

  test('is told to those who ask for it', async () => {
    expect(await take(own)).toMatchObject([
      { kind: 'message', from_me: true, chat_jid: ADA, sender_jid: SESSION_OWNER, text: 'I take over' },
    ]);
    expect(emitted.flat()).toMatchObject([{ extension: 'own_messages' }]);
    // Whom the number writes to with its phone it has a chat with; nobody has answered.
    expect(inbound).toMatchObject([{ people: [ADA], isOwn: true }]);
    expect((await take(message({ kind: 'text', text: 'Hi' })))[1]).not.toHaveProperty('from_me');
    expect(emitted.flat()[1]?.extension).toBeUndefined();
  });

  test('is kept nowhere, and its file not fetched, when nobody does', async () => {
    isAsked = false;
    download = () => Promise.reject(new Error('nobody asked for it'));
    const media = { ref: { kind: 'image', token: 't' }, mimetype: 'image/jpeg', size: 4 } as const;
    expect(await take({ ...own, content: { kind: 'image', media } })).toEqual([]);
  });
});

describe('media', () => {
  const file = (size: number, kind: 'image' | 'document' = 'image'): InboundContent => ({
    kind,
    caption: 'Look',
    media: {
      ref: { kind, token: 't' },
      mimetype: kind === 'image' ? 'image/jpeg' : 'application/pdf',
      size,
      ...(kind === 'document' && { fileName: 'Offer.PDF' }),
    },
  });

  const named = { id: `med_slot_1_message/${ADA}/M1`, url: 'https://a/f' };

  async function mediaOf(content: InboundContent): Promise<PublicMedia | undefined> {
    const [event] = await take(message(content));
    expect(event).toMatchObject({ type: content.kind, text: 'Look' });
    return event?.kind === 'message' ? event.media : undefined;
  }

  test('is inlined, with its real size', async () => {
    expect(await mediaOf(file(999))).toEqual({
      mimetype: 'image/jpeg',
      extension: 'jpg',
      file_length: 4,
      data: Buffer.from('file').toString('base64'),
      status: 'downloaded',
      ...named,
    });
  });

  test('can be asked for before anybody hears of it, and is kept with the message where its number keeps files', async () => {
    const content = file(999);
    const id = named.id;
    const noted = 'media' in content && { id, file: content.media };
    await mediaOf(content);
    expect(arrivals.splice(0)).toEqual([noted]);

    const keptWith = { type: 'message', historyId: 'h', chat: ADA, messageId: 'M1' } as const;
    const entry = {
      ...keptWith,
      fromMe: 0,
      at: 0,
      seq: 0,
      expiresAt: null,
      sealed: new Uint8Array(),
      ...{ state: 0, isPast: false, author: null },
    } as const;
    const nothing = () => [];
    const past = { message: nothing, chat: nothing, progress: nothing };
    keeper = { keepsFiles: true, message: () => [entry], receipt: nothing, chat: nothing, past };
    await mediaOf(content);
    const bytes = Buffer.from('file');
    expect(arrivals.splice(0)).toEqual([{ ...noted, keptWith: expect.objectContaining(keptWith), bytes }]);
    await take(message(content, { viewOnce: true }));
    expect(arrivals.splice(0)).toEqual([noted]);
    keeper = { ...keeper, keepsFiles: false };
    await mediaOf(content);
    expect(arrivals.splice(0)).toEqual([noted]);
  });

  test('that is a document keeps its name', async () => {
    expect(await mediaOf(file(4, 'document'))).toMatchObject({ filename: 'Offer.PDF', extension: 'pdf' });
  });

  test('of exactly 4 MB is inlined, larger is only described and never downloaded', async () => {
    let downloads = 0;
    download = async (_ref, { maxBytes }) => {
      downloads++;
      return Buffer.alloc(maxBytes);
    };
    expect(await mediaOf(file(4 * MEGABYTE))).toMatchObject({
      status: 'downloaded',
      file_length: 4 * MEGABYTE,
    });
    emitted = [];
    expect(await mediaOf(file(4 * MEGABYTE + 1))).toEqual({
      mimetype: 'image/jpeg',
      extension: 'jpg',
      file_length: 4 * MEGABYTE + 1,
      data: '',
      status: 'too_large',
      ...named,
    });
    expect(downloads).toBe(1);
  });

  test('that cannot be had is described, and the message arrives all the same', async () => {
    download = async () => {
      throw new NetworkError('permanent', 'gone');
    };
    expect(await mediaOf(file(999))).toMatchObject({ status: 'error', data: '', file_length: 999 });
  });

  test('that fails for a passing reason is asked for once more', async () => {
    let asked = 0;
    download = async () => {
      if (++asked === 1) throw new NetworkError('transient', 'lost');
      return Buffer.from('x');
    };
    expect(await mediaOf(file(999))).toMatchObject({ status: 'downloaded' });
  });

  test('comes in small batches, and all events stay in their order', async () => {
    const events = Array.from({ length: 10 }, (_, index) =>
      message(index % 2 ? file(4) : { kind: 'text', text: 'x' }, { id: `${index}`, messageId: `${index}` }),
    );
    await take(...events);
    expect(emitted.length).toBe(2);
    expect(emitted.flat().map(({ key }) => key)).toEqual(events.map(({ id }) => id));
  });
});

describe('what else the network tells', () => {
  const happening = { id: 'x/1', timestamp: 1_784_365_200 };

  test('receipts of a group keep their order with all that happens in that group', async () => {
    await take({
      ...happening,
      kind: 'receipt',
      recipient: ADA,
      group: GROUP,
      type: 'read',
      messageId: 'OURS',
    });
    expect(emitted.flat()).toMatchObject([{ chat: GROUP, event: { recipient_jid: ADA } }]);
  });

  test('receipts of messages that were sent here carry the key of their send', async () => {
    const receipt = { ...happening, kind: 'receipt', recipient: ADA, type: 'read' } as const;
    expect(await take({ ...receipt, messageId: 'OURS' }, { ...receipt, messageId: 'BY HAND' })).toEqual([
      {
        kind: 'receipt',
        session_id: SESSION,
        request_id: 'order-1042',
        message_id: 'OURS',
        network_message_id: 'OURS',
        recipient_jid: ADA,
        receipt_type: 'read',
        timestamp_unix: 1_784_365_200,
      },
    ]);
    expect(noted[0]).toEqual({
      slotId: 'slot_1',
      messageId: 'OURS',
      status: 'read',
      at: 1_784_365_200_000,
    });
  });

  test('votes', async () => {
    const vote = {
      ...happening,
      kind: 'poll_vote',
      pollMessageId: 'P',
      chat: GROUP,
      voter: '7@lid',
    } as const;
    expect(await take({ ...vote, selectedHashes: ['ab'] })).toEqual([
      {
        kind: 'poll_vote',
        session_id: SESSION,
        voter_jid: '7@lid',
        chat_jid: GROUP,
        poll_message_id: 'P',
        selected_hashes: ['ab'],
        timestamp_unix: 1_784_365_200,
      },
    ]);
  });

  test('changes of groups', async () => {
    const by = { jid: '77@lid', phone: ADA };
    const change = (change: GroupChange): NetworkEvent => ({
      ...happening,
      kind: 'group',
      group: GROUP,
      by,
      change,
    });
    const common = {
      kind: 'group',
      session_id: SESSION,
      chat_jid: GROUP,
      by_jid: '77@lid',
      by_phone: ADA,
      timestamp_unix: 1_784_365_200,
    };
    expect(
      await take(
        change({ type: 'added', participants: [{ jid: '78@lid' }, by] }),
        change({ type: 'joined', participants: [by], subject: 'Lunch' }),
        change({ type: 'subject', subject: 'Dinner' }),
        change({ type: 'description', description: '' }),
        change({ type: 'settings', announce: false, ephemeralSeconds: 0 }),
      ),
    ).toEqual([
      { ...common, event: 'added', participants: [{ jid: '78@lid' }, { jid: '77@lid', phone_jid: ADA }] },
      { ...common, event: 'joined', participants: [{ jid: '77@lid', phone_jid: ADA }], subject: 'Lunch' },
      { ...common, event: 'subject', subject: 'Dinner' },
      { ...common, event: 'description', description: '' },
      { ...common, event: 'settings', announce: false, ephemeral_seconds: 0 },
    ]);
  });

  test('changes of contacts', async () => {
    const contact = { ...happening, kind: 'contact', contact: ADA } as const;
    const common = { kind: 'contact', session_id: SESSION, contact_jid: ADA, timestamp_unix: 1_784_365_200 };
    expect(
      await take(
        { ...contact, change: { type: 'about', about: '' } },
        { ...contact, change: { type: 'picture', pictureId: '17' } },
        { ...contact, change: { type: 'picture' } },
      ),
    ).toEqual([
      { ...common, event: 'about', about: '' },
      { ...common, event: 'picture', picture_id: '17' },
      { ...common, event: 'picture' },
    ]);
  });

  test('posts of channels', async () => {
    const channel = '120363107654321098@newsletter';
    const post = { channel, serverId: 118, messageId: 'N1', type: 'text', text: 'News' };
    expect(await take({ ...happening, kind: 'channel_message', ...post })).toEqual([
      {
        kind: 'newsletter_message',
        session_id: SESSION,
        newsletter_jid: channel,
        server_id: 118,
        message_id: 'N1',
        type: 'text',
        text: 'News',
        timestamp_unix: 1_784_365_200,
      },
    ]);
  });

  test('typing and recording', async () => {
    const typing = { chat: ADA, sender: ADA, isGroup: false, typing: true, media: 'audio' } as const;
    expect(await take({ ...happening, kind: 'typing', ...typing })).toEqual([
      {
        kind: 'typing',
        session_id: SESSION,
        sender_jid: ADA,
        chat_jid: ADA,
        is_group: false,
        typing: true,
        media: 'audio',
      },
    ]);
  });

  test('presence, with when somebody was last seen only while offline', async () => {
    const presence = { ...happening, kind: 'presence', contact: ADA } as const;
    expect(await take({ ...presence, online: true }, { ...presence, online: false, lastSeen: 5 })).toEqual([
      { kind: 'presence', session_id: SESSION, contact_jid: ADA, online: true },
      { kind: 'presence', session_id: SESSION, contact_jid: ADA, online: false, last_seen_unix: 5 },
    ]);
  });

  test('calls', async () => {
    const call = { ...happening, kind: 'call', callId: 'C', from: ADA, video: true } as const;
    expect(
      await take(
        { ...call, event: 'offer', rejected: true },
        { ...call, event: 'terminate', rejected: false, reason: 'timeout' },
      ),
    ).toEqual([
      {
        kind: 'call',
        session_id: SESSION,
        call_id: 'C',
        from_jid: ADA,
        event: 'offer',
        video: true,
        rejected: true,
        timestamp_unix: 1_784_365_200,
      },
      {
        kind: 'call',
        session_id: SESSION,
        call_id: 'C',
        from_jid: ADA,
        event: 'terminate',
        video: true,
        rejected: false,
        reason: 'timeout',
        timestamp_unix: 1_784_365_200,
      },
    ]);
  });
});

test('what could not be committed is not taken: the driver keeps it', async () => {
  const sink = createNetworkEventSink({
    log: { emit: () => Promise.reject(new StoreError('unavailable', 'no database')) },
    receipts: { note: async () => '' },
    ...undisturbed,
  });
  const listening = {
    number: { accountId: 'a', slotId: 's', phone: '1' },
    sessionId: SESSION,
    session: { download: async () => new Uint8Array(), chatOf },
  };
  await expect(sink(listening, [message({ kind: 'text', text: 'x' })])).rejects.toThrow('no database');
});

test('what the owner does with a chat is told by one word each, and its words are gone when it is deleted', async () => {
  const swept: string[] = [];
  const kept: unknown[] = [];
  const told: NewEvent[] = [];
  const keeper = { chat: ({ change }: { change: { type: string } }) => [change.type] };
  const sink = createNetworkEventSink({
    log: {
      async emit(news, _inbound, entries) {
        told.push(...news);
        kept.push(...entries);
      },
    },
    ...undisturbed,
    receipts: { note: async () => '' },
    // What is made of it is the history's own matter.
    histories: { of: () => keeper as never },
    book: { sweep: async (slotId, chat) => void swept.push(`${slotId} ${chat}`) },
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
  const session = { chatOf, download: () => Promise.reject(new Error('no file')) };
  const number = { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001' };
  await sink({ number, sessionId: SESSION, session }, events);
  for (const { event } of told) expect(compileCheck(EVENT_SCHEMAS[event.kind])(event)).toBeNull();
  expect(told.map(({ event }) => (event.kind === 'chat' ? event.event : ''))).toEqual([
    ...['read', 'unread', 'unarchived', 'pinned', 'muted', 'muted', 'unmuted', 'cleared', 'deleted'],
  ]);
  expect(told.map(({ event }) => ('muted_until_unix' in event ? event.muted_until_unix : undefined))).toEqual(
    [
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
    ],
  );
  expect(kept).toHaveLength(changes.length);
  expect(swept).toEqual([`slot_1 ${ADA}`, `slot_1 ${ADA}`]);
});

test('what cannot be stored is put aside after three tries, and the rest of its batch is told in order', async () => {
  const stored: string[] = [];
  const putAside: string[] = [];
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
    book: undisturbed.book,
    histories: undisturbed.histories,
    files: undisturbed.files,
    receipts: { note: async () => '' },
    quarantine: { keep: async (_, { id }) => void putAside.push(id) },
    clock: { sleep: async () => {} },
  });
  const listening = {
    number: { accountId: 'a', slotId: 's', phone: '1' },
    sessionId: SESSION,
    session: { download: async () => new Uint8Array(), chatOf },
  };
  const named = (id: string) => message({ kind: 'text', text: 'x' }, { id });
  await sink(listening, ['first', 'bad', 'last'].map(named));
  expect({ stored, putAside, tries }).toEqual({ stored: ['first', 'last'], putAside: ['bad'], tries: 3 });
});
