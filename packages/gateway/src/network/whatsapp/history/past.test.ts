import { deflateSync } from 'node:zlib';
import { lidJid, userJid } from '@parley/sandbox/world';
import { proto } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { PastHistory, PastPart } from '../../past.ts';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, adaWrites, link, ME, type Opened, useWire, WAIT } from '../testing/people.ts';
import { createPastCollector } from './past.ts';
import { walkMessage } from './walk.ts';

const setUp = useWire();
const me = { phone: ME, device: 0 };
const text = (words: string) => ({ type: 'text', text: words }) as const;

interface TakenHistory {
  readonly history: PastHistory;
  readonly parts: PastPart[];
  outcome?: string;
}

/** Opens the link with a taker of the past; `keep` is called for each piece. */
function openTaking({ driver }: WireHarness, fence: number, keep: () => Promise<void> = async () => {}) {
  const histories: TakenHistory[] = [];
  const events: Opened['events'][number][] = [];
  driver.open({
    linkId: 'link',
    fence,
    onState() {},
    onStanding() {},
    onEvents: async (taken) => void events.push(...taken),
    onPast(history) {
      const one: TakenHistory = { history, parts: [] };
      histories.push(one);
      return {
        async take(part) {
          await keep();
          one.parts.push(part);
        },
        async end(outcome) {
          one.outcome = outcome;
        },
      };
    },
  });
  return { histories, events };
}

const allOf = (histories: readonly TakenHistory[]): PastPart => ({
  messages: histories.flatMap(({ parts }) => parts.flatMap(({ messages }) => messages)),
  receipts: histories.flatMap(({ parts }) => parts.flatMap(({ receipts }) => receipts)),
  chats: histories.flatMap(({ parts }) => parts.flatMap(({ chats }) => chats)),
});

/** A past with messages of several kinds, more than fit into the first part. */
function live({ world }: WireHarness): string {
  for (let place = 0; place < 25; place++)
    adaWrites({ world } as WireHarness, `PAST-${place}`, `No. ${place}`);
  world.messages.mark(ME, 'PAST-3', 'read');
  world.messages.send(me, { id: 'OWN', to: userJid(ADA), content: text('Mine') });
  world.messages.mark(ADA, 'OWN', 'read');
  const reaction = { type: 'reaction', target: 'OWN', emoji: '👍' } as const;
  world.messages.send({ phone: ADA, device: 0 }, { id: 'LIKES', to: userJid(ME), content: reaction });
  const { group } = world.groups.create(
    { phone: ADA, device: 0 },
    { name: 'Lunch', participants: [userJid(ME)] },
  );
  world.messages.send({ phone: ADA, device: 0 }, { id: 'GROUPED', to: group.jid, content: text('All') });
  world.chatStates.change(me, userJid(ADA), { type: 'archive', on: true });
  world.chatStates.change(me, userJid(ADA), { type: 'pin', on: true });
  world.chatStates.change(me, userJid(ADA), { type: 'mute', until: -1 });
  return group.jid;
}

test('keeps the secrets of its messages, so that a later edit of one of them is read', async () => {
  const harness = await setUp();
  adaWrites(harness, 'PAST-1', 'Helo');
  await link(harness);
  const { histories, events } = openTaking(harness, 1);
  await vi.waitFor(() => expect(allOf(histories).messages).toHaveLength(1), WAIT);
  await vi.waitFor(() => expect(histories.at(-1)?.outcome).toBe('done'), WAIT);
  const edit = { type: 'edit', target: 'PAST-1', text: 'Hello' } as const;
  harness.world.messages.send({ phone: ADA, device: 0 }, { id: 'EDIT', to: userJid(ME), content: edit });
  await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'message')).toHaveLength(1), WAIT);
  expect(events.find(({ kind }) => kind === 'message')).toMatchObject({
    content: { text: 'Hello', editedId: 'PAST-1' },
  });
});

test('passes on the messages of a past with their receipts, and the state of its chats', async () => {
  const harness = await setUp();
  const group = live(harness);
  await link(harness);
  const { histories, events } = openTaking(harness, 1);
  // A read that a lost connection has cut off starts again.
  const whole = () => histories.filter(({ outcome }) => outcome === 'done');
  await vi.waitFor(() => expect(whole()).toHaveLength(2), WAIT);
  expect(whole().map(({ history }) => history)).toMatchObject([
    { type: 'initial', progress: 50 },
    { type: 'recent', progress: 100 },
  ]);
  const { messages, receipts, chats } = allOf(whole());
  const names = messages.map(({ event }) => event.messageId);
  expect(new Set(names.filter((name) => name.startsWith('PAST-'))).size).toBe(25);
  expect(names).toHaveLength(25 + 3);
  expect(messages.find(({ event }) => event.messageId === 'PAST-7')).toMatchObject({
    event: { chat: userJid(ADA), sender: userJid(ADA), senderName: 'Ada', content: { text: 'No. 7' } },
  });
  expect(messages.find(({ event }) => event.messageId === 'OWN')).toMatchObject({
    event: { chat: userJid(ADA), fromMe: true },
    reached: 'read',
  });
  expect(messages.find(({ event }) => event.content.kind === 'reaction')?.event).toMatchObject({
    chat: userJid(ADA),
    sender: userJid(ADA),
    content: { targetId: 'OWN', emoji: '👍' },
  });
  const ada = lidJid(harness.world.phones.get(ADA).lid);
  expect(messages.find(({ event }) => event.messageId === 'GROUPED')?.event).toMatchObject({
    chat: group,
    sender: ada,
    isGroup: true,
  });
  expect(receipts).toMatchObject(
    ['delivered', 'read'].map((type) => ({ messageId: 'OWN', recipient: userJid(ADA), type })),
  );
  const owned = { archived: true, pinned: true, mutedUntil: -1 };
  expect(chats).toMatchObject([
    { chat: userJid(ADA), unread: 24, ...owned },
    { chat: group, unread: 1, archived: false, pinned: false, mutedUntil: null },
  ]);
  expect(events).toEqual([]);
});

test('passes a past on again from its beginning, under the same id, after it was not stored to its end', async () => {
  const harness = await setUp();
  live(harness);
  await link(harness);
  const first = openTaking(harness, 1, () => new Promise(() => {}));
  await vi.waitFor(() => expect(first.histories).toHaveLength(1), WAIT);
  await harness.crash();
  let failures = 0;
  // The database is out of reach for a moment.
  const second = openTaking(harness, 2, async () => {
    if (++failures === 1) throw new Error('not now');
  });
  const done = () => second.histories.filter(({ outcome }) => outcome === 'done');
  await vi.waitFor(async () => {
    await harness.advance(1_000);
    expect(done().map(({ history }) => history.type)).toContain('recent');
  }, WAIT);
  expect(second.histories[0]?.outcome).toBeUndefined();
  // The phone itself may have sent it again, too.
  const initial = second.histories.filter(({ history }) => history.type === 'initial');
  for (const { history } of initial) expect(history).toEqual(first.histories[0]?.history);
  const names = allOf(done()).messages.map(({ event }) => event.messageId);
  expect(new Set(names).size).toBe(28);
});

test('passes on a large past in several parts, with chats after their messages', async () => {
  const words = 'x'.repeat(40_000);
  const messages = Array.from({ length: 450 }, (_, place) => ({
    message: {
      key: { remoteJid: userJid(ADA), id: `M${place}` },
      message: { conversation: place % 30 === 0 ? words : 'short' },
      messageTimestamp: 1_700_000_000 - place,
    },
  }));
  const conversations = [
    {
      id: userJid(ADA),
      messages,
      unreadCount: 2,
      muteEndTime: 1_700_000_000,
      conversationTimestamp: 1_700_000_000,
    },
    { id: userJid('15550003333'), name: 'Nothing was said here' },
    { id: 'status@broadcast', pinned: 5 },
  ];
  const whole = proto.HistorySync.encode({ syncType: 3, conversations }).finish();
  expect(deflateSync(whole).length).toBeLessThan(whole.length);
  const parts: PastPart[] = [];
  const context = {
    vault: () => ({ read: async () => new Map() }) as never,
    me: () => ({ id: `${ME}:3@s.whatsapp.net` }),
  };
  const collector = createPastCollector(context, {
    take: async (part) => void parts.push(part),
    end: async () => {},
  });
  const walk = walkMessage(collector.visitor);
  for (let at = 0; at < whole.length; at += 16_384) {
    walk.push(whole.subarray(at, at + 16_384));
    if (collector.isFull()) await collector.flush();
  }
  walk.end();
  await collector.flush();
  expect(parts.length).toBeGreaterThan(2);
  const sizes = parts.map((part) => part.messages.length);
  expect(Math.max(...sizes)).toBeLessThan(400);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(450);
  expect(parts.flatMap(({ chats }) => chats)).toEqual([
    {
      chat: userJid(ADA),
      upTo: 1_700_000_000,
      unread: 2,
      archived: false,
      pinned: false,
      mutedUntil: 1_700_000_000_000,
    },
  ]);
});
