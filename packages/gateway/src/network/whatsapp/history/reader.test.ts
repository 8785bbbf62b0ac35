import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { createCodecs } from '@parley/codecs';
import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, proto, writeRandomPadMax16 } from 'baileys';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { JournalEntry } from '../journal/journal.ts';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, adaWrites, connected, ME, online, textToAda, useWire, WAIT } from '../testing/people.ts';
import type { HistoryContact } from './facts.ts';
import { createHistoryReader } from './reader.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-history-'));
});
// Registered before the harness's own cleanup, so that it runs after it: until then the driver may write there.
afterEach(() => rm(folder, { recursive: true, force: true }));
const setUp = useWire();

async function recordsOf({ store }: WireHarness, kind: string): Promise<string[]> {
  const rows = await store.read.selectFrom('network_records').select('id').where('kind', '=', kind).execute();
  return rows.map(({ id }) => id);
}

const asks = ({ tag, attrs }: BinaryNode, xmlns: string) => tag === 'iq' && attrs.xmlns === xmlns;

/** Withholds the phone's app state from the link, so that only its history is left. */
function withoutAppState(stanza: BinaryNode): BinaryNode | undefined {
  return asks(stanza, 'w:sync:app:state') ? refusing(stanza) : undefined;
}

function refusing({ attrs: { id = '' } }: BinaryNode): BinaryNode {
  const content = [{ tag: 'error', attrs: { code: '503', text: 'not now' } }];
  return { tag: 'iq', attrs: { id, type: 'error', from: '@s.whatsapp.net' }, content };
}

/** A history that does not fit into its notification. */
function knowMany({ world }: WireHarness): void {
  for (let place = 0; place < 700; place++) {
    const phone = String(15_560_000_000 + place);
    world.contacts.save({ phone: ME, device: 0 }, { phone, firstName: 'Some', fullName: `Person ${place}` });
  }
}

test('a new link learns from its phone’s history the chat partners, tokens, names and the salt', async () => {
  const harness = await setUp({ folder });
  harness.intercept(withoutAppState);
  adaWrites(harness, 'LONG-AGO');
  knowMany(harness);
  harness.world.contacts.save({ phone: ME, device: 0 }, { phone: ADA, firstName: 'A', fullName: 'Ada King' });
  const me = await online(harness);

  await vi.waitFor(async () => {
    expect(await recordsOf(harness, 'tctoken')).toContain(lidJid(harness.world.phones.get(ADA).lid));
    const contacts = await me.session.contacts.list();
    const names = { firstName: '', businessName: '' };
    expect(contacts).toContainEqual({ jid: userJid(ADA), fullName: 'Ada King', pushName: 'Ada', ...names });
    expect(contacts.filter(({ fullName }) => fullName.startsWith('Person'))).toHaveLength(700);
  }, WAIT);
  expect(await recordsOf(harness, 'first-contact-salt')).toHaveLength(1);
  const { lid } = harness.world.phones.get(ADA);
  expect(await recordsOf(harness, 'lid-mapping')).toEqual(expect.arrayContaining([ADA, `${lid}_reverse`]));
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), WAIT);

  const before = harness.received.length;
  await me.session.send(textToAda('3EB0H1'));
  const [stanza] = harness.received
    .slice(before)
    .filter(({ tag, attrs }) => tag === 'message' && attrs.id === '3EB0H1');
  const token = harness.world.tokens.heldBy(ME).get(ADA)?.token ?? [];
  expect(getBinaryNodeChild(stanza, 'tctoken')?.content).toEqual(Buffer.from(token));
});

test('a history that cannot be fetched yet is read by a later host of the link', async () => {
  const harness = await setUp({ folder });
  let refused = 0;
  harness.intercept((stanza) => {
    if (!asks(stanza, 'w:m')) return withoutAppState(stanza);
    refused += 1;
    return refusing(stanza);
  });
  knowMany(harness);
  const me = await online(harness);
  await vi.waitFor(() => expect(refused).toBeGreaterThan(1), WAIT);
  // Long after the library would have dropped it.
  await harness.advance(120_000);
  await me.session.probe();
  expect(await me.session.contacts.list()).toEqual([]);
  await harness.crash();

  harness.intercept(withoutAppState);
  const again = await connected(harness, 2);
  await vi.waitFor(async () => {
    expect((await again.session.contacts.list()).length).toBeGreaterThanOrEqual(700);
  }, WAIT);
});

const NAMES = proto.HistorySync.encode({
  syncType: proto.HistorySync.HistorySyncType.PUSH_NAME,
  pushnames: [{ id: userJid(ADA), pushname: 'Ada' }],
}).finish();

function announcement(
  from: string,
  notification: proto.Message.IHistorySyncNotification = {
    syncType: proto.Message.HistorySyncType.PUSH_NAME,
    initialHistBootstrapInlinePayload: deflateSync(NAMES),
  },
): JournalEntry {
  const plaintext = proto.Message.encode({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: notification,
    },
  }).finish();
  return {
    kind: 'message',
    attrs: { id: 'H', from, t: '1' },
    plaintext: writeRandomPadMax16(plaintext),
  };
}

function readerAlone(mappings: ReadonlyMap<string, string> = new Map()) {
  const learned: HistoryContact[] = [];
  const people: string[] = [];
  const warned: string[] = [];
  const leaving = new AbortController();
  const reader = createHistoryReader({
    context: {
      linkId: 'link',
      clock: createSteppedClock(),
      random: createSeededRandom(1),
      log: { debug() {}, warn: (_details, text) => warned.push(text) },
      codecs: createCodecs(),
      folder,
      mediaTransport: () => ({
        get: () => Promise.reject(new Error('not reached')),
        post: () => Promise.reject(new Error('not reached')),
      }),
      vault: () => ({ read: async () => mappings, commit: async () => {} }) as never,
      me: () => ({ id: `${ME}:3@s.whatsapp.net`, lid: '1001:3@lid' }),
      connection: () => {
        throw new Error('not connected');
      },
      emit() {},
    },
    leaving: leaving.signal,
    learnContacts: async (contacts) => void learned.push(...contacts),
    learnSalt: async () => {},
    learnPeople: async (addresses) => void people.push(...addresses),
    takerOf: () => undefined,
  });
  return { reader, learned, people, warned, leaving };
}

test('accepts a past from the own phone only', async () => {
  const { reader, learned } = readerAlone();
  expect(reader.take(announcement(userJid(ADA)))).toBeUndefined();
  expect(learned).toEqual([]);
  await reader.take(announcement(userJid(ME)));
  expect(learned).toEqual([{ id: userJid(ADA), notify: 'Ada' }]);
});

test('reports each chat partner once, by phone number where it is known', async () => {
  const messages = [{ message: { key: { id: 'M' } } }];
  const conversations = [
    { id: userJid(ADA), messages },
    { id: '2001@lid', messages },
    { id: '2002@lid', messages },
    { id: userJid('15550003333'), messages: [] },
    { id: '120363000000000001@g.us', messages },
  ];
  const { INITIAL_BOOTSTRAP } = proto.HistorySync.HistorySyncType;
  const history = proto.HistorySync.encode({ syncType: INITIAL_BOOTSTRAP, conversations }).finish();
  const { reader, people } = readerAlone(new Map([['2001_reverse', ADA]]));
  await reader.take(
    announcement(userJid(ME), { syncType: 0, initialHistBootstrapInlinePayload: deflateSync(history) }),
  );
  expect(people).toEqual([userJid(ADA), '2002@lid']);
});

test('gives up an invalid history and logs it', async () => {
  const { reader, learned, warned } = readerAlone();
  for (const initialHistBootstrapInlinePayload of [
    Buffer.from('not packed at all'),
    deflateSync(NAMES.subarray(0, -1)),
  ]) {
    await reader.take(announcement(userJid(ME), { syncType: 4, initialHistBootstrapInlinePayload }));
  }
  expect([learned, warned.length]).toEqual([[], 2]);
});

test('does not count a history as read when it is unreachable until the session ends', async () => {
  const { reader, leaving } = readerAlone();
  const taken = reader.take(
    announcement(userJid(ME), { syncType: 4, directPath: '/v/history', mediaKey: Buffer.alloc(32) }),
  );
  leaving.abort();
  await expect(taken).rejects.toThrow();
  await reader.settled();
});
