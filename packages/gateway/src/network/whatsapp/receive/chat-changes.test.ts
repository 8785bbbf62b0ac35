import { lidJid, userJid } from '@parley/sandbox/world';
import type { BinaryNode } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { ChatEvent } from '../../events.ts';
import type { WireHarness } from '../testing/fixture.ts';
import {
  ADA,
  adaWrites,
  connected,
  ME,
  messageIds,
  type Opened,
  online,
  useWire,
  WAIT,
} from '../testing/people.ts';

const setUp = useWire();
const owner = { phone: ME, device: 0 };

const chatsOf = ({ events }: Opened): ChatEvent[] =>
  events.flatMap((event) => (event.kind === 'chat' ? [event] : []));

/** A linked number whose initial state is synchronized. */
async function settledNumber(harness: WireHarness): Promise<Opened> {
  const me = await online(harness);
  const asked = () => harness.received.filter(isSync).length;
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(0), WAIT);
  await vi.waitFor(async () => {
    const { contacts } = me.session;
    await contacts.list();
    expect(await records(harness)).toContain('critical_block');
  }, WAIT);
  await me.session.probe();
  return me;
}

const isSync = ({ tag, attrs }: BinaryNode): boolean => tag === 'iq' && attrs.xmlns === 'w:sync:app:state';

async function records({ store }: WireHarness): Promise<string[]> {
  const rows = store.read.selectFrom('network_records').select('id');
  return (await rows.where('kind', '=', 'app-state-sync-version').execute()).map(({ id }) => id);
}

test('publishes the first change of a chat, and no change from before the link', async () => {
  const harness = await setUp();
  adaWrites(harness, 'BEFORE');
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'archive', on: true });
  const me = await settledNumber(harness);
  const lid = lidJid(harness.world.phones.get(ADA).lid);
  await vi.waitFor(async () => expect(await me.session.chatOf(lid)).toBe(userJid(ADA)), WAIT);
  expect(await records(harness)).not.toContain('regular_low');
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'pin', on: true });
  await vi.waitFor(() => expect(chatsOf(me)).toHaveLength(1), WAIT);
  expect(chatsOf(me)).toMatchObject([{ chat: userJid(ADA), change: { type: 'pinned', on: true } }]);
});

test('is published once, wherever the process dies', async () => {
  const harness = await setUp();
  await settledNumber(harness);
  // The library never processes the answer.
  harness.intercept((stanza) => {
    if (isSync(stanza)) void harness.crash();
    return undefined;
  });
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'archive', on: true });
  const asked = () => harness.received.filter(isSync).length;
  const before = asked();
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(before), WAIT);
  harness.intercept(() => undefined);

  // It is delivered and never acknowledged.
  const offered: ChatEvent[] = [];
  harness.driver.open({
    linkId: 'link',
    fence: 2,
    onState() {},
    onStanding() {},
    onEvents(events) {
      offered.push(...events.filter((event) => event.kind === 'chat'));
      return new Promise(() => {});
    },
  });
  await vi.waitFor(() => expect(offered).toHaveLength(1), WAIT);
  await harness.crash();

  const again = await connected(harness, 3);
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'archive', on: false });
  await vi.waitFor(() => expect(chatsOf(again)).toHaveLength(2), WAIT);
  expect(chatsOf(again).map(({ id }) => id)).toContain(offered[0]?.id);
  expect(chatsOf(again).map(({ change }) => change)).toEqual([
    { type: 'archived', on: true },
    { type: 'archived', on: false },
  ]);
});

test('is published though an earlier answer was unreadable', async () => {
  const harness = await setUp();
  const me = await settledNumber(harness);
  let garbled = 0;
  harness.intercept((stanza) => {
    if (!isSync(stanza) || garbled++ > 0) return undefined;
    const snapshot = { tag: 'snapshot', attrs: {}, content: Buffer.from('no snapshot') };
    const collection = {
      tag: 'collection',
      attrs: { name: 'regular_low', version: '1' },
      content: [snapshot],
    };
    return {
      tag: 'iq',
      attrs: { id: stanza.attrs.id ?? '', type: 'result', from: 's.whatsapp.net' },
      content: [{ tag: 'sync', attrs: {}, content: [collection] }],
    };
  });
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'archive', on: true });
  await vi.waitFor(async () => {
    await harness.advance(1_000);
    expect(chatsOf(me)).toMatchObject([{ change: { type: 'archived', on: true } }]);
  }, WAIT);
});

/** Makes the network refuse this many queries for changes. */
function refuseSync(harness: WireHarness, times: number): () => number {
  let refused = 0;
  harness.intercept((stanza) => {
    if (!isSync(stanza) || refused === times) return undefined;
    refused += 1;
    const error = { tag: 'error', attrs: { code: '500', text: 'internal-server-error' } };
    return {
      tag: 'iq',
      attrs: { id: stanza.attrs.id ?? '', type: 'error', from: 's.whatsapp.net' },
      content: [error],
    };
  });
  return () => refused;
}

test('is published though the first fetch after its announcement failed', async () => {
  const harness = await setUp();
  const me = await settledNumber(harness);
  const refused = refuseSync(harness, 2);
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'archive', on: true });
  await vi.waitFor(() => expect(refused()).toBeGreaterThan(0), WAIT);
  await vi.waitFor(async () => {
    await harness.advance(1_000);
    expect(chatsOf(me)).toMatchObject([{ change: { type: 'archived', on: true } }]);
  }, WAIT);
});

test('is found by the next connection when the last one could not fetch it', async () => {
  const harness = await setUp();
  await settledNumber(harness);
  const refused = refuseSync(harness, Number.POSITIVE_INFINITY);
  harness.world.chatStates.change(owner, userJid(ADA), { type: 'archive', on: true });
  await vi.waitFor(() => expect(refused()).toBeGreaterThan(0), WAIT);
  await vi.waitFor(() => expect(harness.world.mailboxes.waiting(deviceOf(harness))).toBe(0), WAIT);
  await harness.crash();
  harness.intercept(() => undefined);
  const again = await connected(harness, 2);
  await vi.waitFor(() => expect(chatsOf(again)).toMatchObject([{ change: { type: 'archived' } }]), WAIT);
});

const deviceOf = ({ world }: WireHarness): string => world.devices.of(ME)[0]?.sessionId ?? '';

test('publishes read markers of the phone from the network’s notifications', async () => {
  const harness = await setUp();
  const me = await online(harness);
  const sessionId = me.session.state.kind === 'connected' ? me.session.state.sessionId : '';
  adaWrites(harness, 'HELLO');
  await vi.waitFor(() => expect(messageIds(me)).toEqual(['HELLO']), WAIT);
  const recipient = lidJid(harness.world.phones.get(ADA).lid);
  const receipt = { id: 'HELLO', from: userJid(ME), recipient, type: 'read', t: '7' };
  for (const attrs of [receipt, receipt, { ...receipt, from: userJid(ADA), recipient: userJid(ME) }])
    harness.wire.say(sessionId, { tag: 'receipt', attrs });
  await vi.waitFor(() => expect(chatsOf(me)).toHaveLength(1), WAIT);
  expect(chatsOf(me)).toMatchObject([
    { chat: userJid(ADA), timestamp: 7, change: { type: 'read', on: true, upTo: 7 } },
  ]);
  expect(me.events.filter(({ kind }) => kind === 'receipt')).toEqual([]);
});
