import { EventEmitter } from 'node:events';
import { type BinaryNode, proto, type WASocket } from 'baileys';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { useStore } from '#testing';
import type { NetworkEvent } from '../../events.ts';
import { arrival, settle } from '../testing/played-journal.ts';
import { TestVaults, vaultCommands } from '../testing/vaults.ts';
import type { Vault } from '../vault/index.ts';
import { createJournal, type JournalEntry } from './journal.ts';

const ME = '15550001001@s.whatsapp.net';
const ADA = '15550002001@s.whatsapp.net';

const eventOf = (id: string): NetworkEvent => arrival(id).value.event;
const stanza = (tag: string, attrs: Record<string, string> = {}, content?: BinaryNode[]): BinaryNode => ({
  tag,
  attrs: { id: 'M1', from: ADA, ...attrs },
  ...(content && { content }),
});
const padded = (message: proto.IMessage): Uint8Array =>
  Buffer.concat([proto.Message.encode(message).finish(), Buffer.from([1])]);
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('the journal', () => {
  const database = useStore('SQLite', 'shared by all tests', vaultCommands);
  let vaults: TestVaults;
  beforeAll(() => {
    vaults = new TestVaults(database);
  });

  let links = 0;
  /** A journal in front of a library that records what it handles. */
  async function start(moment?: Promise<void>) {
    const linkId = `journal ${++links}`;
    await vaults.newLink(linkId);
    const { vault, arrived, copies } = await vaults.ownerOf(
      linkId,
      1,
      moment ? vaults.writingAfter(moment) : vaults.parts,
    );
    const handled: BinaryNode[] = [];
    const acknowledged: BinaryNode[] = [];
    const unreadable: string[] = [];
    const commits = vi.spyOn(vault, 'commit');
    const read = (node: BinaryNode): readonly NetworkEvent[] =>
      node.attrs.event === undefined ? [] : [eventOf(node.attrs.event)];
    const journal = createJournal({
      vault,
      clock: createSteppedClock(),
      me: () => ({ id: ME }),
      readReceipt: async (node) => read(node),
      readChannelMessage: (node) => (node.attrs.type === 'channel' ? read(node) : []),
      readPlaceholder: (node) => (node.attrs.type === 'hidden' ? read(node)[0] : undefined),
      resentIn: ({ conversation }) =>
        conversation === 'answer'
          ? [{ name: 'M9', message: { conversation: 'hi' }, attrs: { id: 'M9', from: ADA, t: '1' } }]
          : [],
      readNotification: async (node) => read(node),
      onUnreadable: (id) => void unreadable.push(id),
      onDecrypted: () => {},
      alsoKeep: (message) => (message?.conversation ? { 'lid-mapping': { kept: message.conversation } } : {}),
    });
    const ws = new EventEmitter();
    for (const kind of ['CB:message', 'CB:receipt', 'CB:notification'])
      ws.on(kind, (node: BinaryNode) => void handled.push(node));
    const sendMessageAck = async (node: BinaryNode) => void acknowledged.push(node);
    journal.attach({ ws, sendMessageAck } as unknown as WASocket);
    const digests = () => arrived.map(({ value }) => (value as { event: NetworkEvent }).event.id);
    return { linkId, journal, vault, ws, handled, acknowledged, unreadable, digests, copies, commits };
  }

  test.each([
    ['CB:receipt', {}],
    ['CB:notification', {}],
    ['CB:message', { type: 'channel' }],
  ])('commits before the library handles a stanza: %s %o', async (kind, attrs) => {
    const written = Promise.withResolvers<void>();
    const { ws, handled, digests } = await start(written.promise);
    ws.emit(kind, stanza('x', { ...attrs, event: 'e', offline: '1' }));
    await settle();
    expect(handled).toEqual([]);
    written.resolve();
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    expect(digests()).toEqual(['e']);
    // Without the `offline` mark.
    expect(handled[0]?.attrs).toEqual({ id: 'M1', from: ADA, ...attrs, event: 'e' });
  });

  test('commits a message without content before it acknowledges it, and keeps it from the library', async () => {
    const written = Promise.withResolvers<void>();
    const { ws, handled, acknowledged, digests } = await start(written.promise);
    ws.emit('CB:message', stanza('message', { type: 'hidden', event: 'e', offline: '1' }));
    await settle();
    expect(acknowledged).toEqual([]);
    written.resolve();
    await vi.waitFor(() => expect(acknowledged).toHaveLength(1));
    expect([digests(), handled]).toEqual([['e'], []]);
  });

  test('keeps a stanza from the library when its commit failed', async () => {
    const { linkId, ws, handled } = await start();
    await vaults.ownerOf(linkId, 2);
    ws.emit('CB:receipt', stanza('receipt', { event: 'e' }));
    ws.emit('CB:receipt', stanza('receipt'));
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    expect(handled[0]?.attrs.event).toBeUndefined();
  });

  test('passes a stanza without an event on in order, without a commit', async () => {
    const { ws, handled, digests, commits } = await start();
    ws.emit('CB:receipt', stanza('receipt', { id: 'first', event: 'a' }));
    ws.emit('CB:receipt', stanza('receipt', { id: 'second' }));
    ws.emit('CB:receipt', stanza('receipt', { id: 'third', event: 'b' }));
    await vi.waitFor(() => expect(handled).toHaveLength(3));
    expect(handled.map(({ attrs }) => attrs.id)).toEqual(['first', 'second', 'third']);
    expect(digests()).toEqual(['a', 'b']);
    expect(commits).toHaveBeenCalledTimes(2);
  });

  test('keeps a message once that the phone sends in two of its own', async () => {
    const { journal, vault } = await start();
    for (const ciphertext of ['one', 'two'])
      await vault.keys.set(journal.entryFor(bytes(ciphertext), padded({ conversation: 'answer' })));
    const entries = (await vault.waitingArrivals(10)).map(({ value }) => value as JournalEntry);
    const texts = entries.map((each) => each.kind === 'message' && Buffer.from(each.plaintext).toString());
    expect(texts.filter((text) => text !== false && text.includes('hi'))).toHaveLength(1);
    expect(entries).toHaveLength(3);
  });

  test('acknowledges a channel story, which the library ignores', async () => {
    const { ws, acknowledged, handled } = await start();
    const story = stanza('status');
    ws.emit('CB:status', story);
    expect([acknowledged, handled]).toEqual([[story], []]);
  });

  async function decrypted(
    setup: Awaited<ReturnType<typeof start>>,
    ciphertext: Uint8Array,
    plaintext: Uint8Array,
  ) {
    setup.ws.emit('CB:message', stanza('message', {}, [{ tag: 'enc', attrs: {}, content: ciphertext }]));
    await vi.waitFor(() => expect(setup.handled).not.toEqual([]));
    setup.handled.splice(0);
    const batch = setup.journal.entryFor(ciphertext, plaintext);
    await setup.vault.keys.set(batch as Parameters<Vault['keys']['set']>[0]);
    return batch;
  }

  test('recognizes bytes, and returns their plaintext until they are taken', async () => {
    const setup = await start();
    const { journal, vault } = setup;
    const plaintext = padded({ conversation: 'hello' });
    expect(await journal.plaintextOf(bytes('one'))).toBeUndefined();
    await decrypted(setup, bytes('one'), plaintext);
    expect(await journal.plaintextOf(bytes('one'))).toEqual(plaintext);
    expect(await vault.read('lid-mapping', ['kept'])).toEqual(new Map([['kept', 'hello']]));
    const [waiting] = await vault.waitingArrivals(1);
    expect(waiting?.value).toMatchObject({ kind: 'message', attrs: { id: 'M1', from: ADA } });
    await vault.commit({ taken: [waiting?.digest ?? ''] });
    expect(await journal.plaintextOf(bytes('one'))).toEqual(Buffer.from([1]));
    await vault.commit({ arrivals: [journal.draftOf(eventOf('e'))] });
  });

  test('makes one event of the same message in different bytes, and none of an invalid one', async () => {
    const setup = await start();
    await decrypted(setup, bytes('one'), padded({ conversation: 'hello' }));
    await decrypted(
      setup,
      bytes('other'),
      padded({ deviceSentMessage: { message: { conversation: 'hello' } } }),
    );
    expect(setup.copies()).toBe(1);
    const garbage = await decrypted(setup, bytes('third'), Buffer.from([0xff, 0xff, 1]));
    expect(Object.values(garbage.arrival ?? {})).toMatchObject([{ eventKey: null }]);
    expect(setup.copies()).toBe(1);
  });

  test('numbers arrivals in order while the clock stands still', async () => {
    const { journal } = await start();
    const drafts = Object.values(journal.entriesFor(['a', 'b', 'c'].map(eventOf)).arrival ?? {});
    const [first = 0, ...others] = drafts.map(({ seq }) => seq);
    expect(first).toBeGreaterThan(0);
    expect(others).toEqual([first + 1, first + 2]);
    expect(journal.draftOf(eventOf('a'))).toMatchObject({
      digest: drafts[0]?.digest,
      eventKey: drafts[0]?.eventKey,
    });
    expect(drafts[0]?.eventKey).not.toBe(drafts[1]?.eventKey);
  });

  test('reports a message that could not be decrypted by its id', async () => {
    const { journal, ws, handled, unreadable } = await start();
    const node = stanza('message', {}, [
      { tag: 'enc', attrs: {}, content: bytes('one') },
      { tag: 'meta', attrs: {} },
    ]);
    ws.emit('CB:message', node);
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    journal.unreadable((node.content as BinaryNode[])[0]?.content as Uint8Array);
    journal.unreadable(bytes('never came'));
    expect(unreadable).toEqual(['M1']);
  });
});
