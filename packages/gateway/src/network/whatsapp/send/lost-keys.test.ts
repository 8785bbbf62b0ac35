import { lidJid, userJid } from '@parley/sandbox/world';
import { describe, expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import {
  ADA,
  adaWrites,
  bubblesOfAda,
  connected,
  ME,
  messageIds,
  type Opened,
  online,
  textToAda,
  useWire,
  WAIT,
} from '../testing/people.ts';

const setUp = useWire();
const KEYS_OF_ADA = `signal.sessions.${ADA}`;

/** A message each way, so that both sides have a working ratchet. */
async function getAcquainted(harness: WireHarness, me: Opened): Promise<void> {
  adaWrites(harness, 'FIRST');
  await vi.waitFor(() => expect(messageIds(me)).toEqual(['FIRST']), WAIT);
  await me.session.send(textToAda('3EB0A001'));
}

function sessionIdOf(me: Opened): string {
  if (me.session.state.kind !== 'connected') throw new Error('not connected');
  return me.session.state.sessionId;
}

describe('a message that cannot be decrypted here', () => {
  test('is requested again and arrives once, and so do later ones', async () => {
    const harness = await setUp();
    const before = await online(harness);
    await getAcquainted(harness, before);
    await before.session.close();
    await harness.store.transaction((trx) =>
      trx.deleteFrom('network_records').where('kind', '=', 'session').execute(),
    );
    await harness.crash();

    const me = await connected(harness, 2);
    adaWrites(harness, 'UNREADABLE');
    adaWrites(harness, 'NEXT');
    await vi.waitFor(() => expect(messageIds(me).toSorted()).toEqual(['NEXT', 'UNREADABLE']), WAIT);

    adaWrites(harness, 'LAST');
    await vi.waitFor(() => expect(messageIds(me)).toContain('LAST'), WAIT);
    expect(messageIds(me)).toHaveLength(3);
    await vi.waitFor(() => expect(harness.world.mailboxes.waiting(sessionIdOf(me))).toBe(0), WAIT);
  });
});

describe('a message that its recipient cannot decrypt', () => {
  test('is sent again under the same id, and shown once', async () => {
    const harness = await setUp();
    const me = await online(harness);
    await getAcquainted(harness, me);
    harness.world.vault.eraseScope(KEYS_OF_ADA);

    await me.session.send(textToAda('3EB0A002'));

    await vi.waitFor(() => expect(bubblesOfAda(harness, '3EB0A002')).toBe(1), WAIT);
  });

  test('is sent again after a restart as well, a day later', async () => {
    const harness = await setUp();
    const before = await online(harness);
    await getAcquainted(harness, before);
    await before.session.send(textToAda('3EB0A003'));
    await before.session.close();
    await harness.crash();
    const me = await connected(harness, 2);
    await harness.advance(86_400_000);
    const { lid } = harness.world.phones.get(ADA);
    const dropped = () => harness.world.phones.get(ADA).duplicatesDropped;
    const droppedBefore = dropped();

    harness.wire.say(sessionIdOf(me), {
      tag: 'receipt',
      attrs: { id: '3EB0A003', from: lidJid(lid), type: 'retry', t: '1' },
      content: [{ tag: 'retry', attrs: { count: '1', id: '3EB0A003', t: '1', v: '1' } }],
    });

    // The virtual phone has it already, so the copy counts as dropped by id.
    await vi.waitFor(() => expect(dropped()).toBe(droppedBefore + 1), WAIT);
    expect(bubblesOfAda(harness, '3EB0A003')).toBe(1);
  });
});

describe('a request for a message', () => {
  async function sentWhileAway(harness: WireHarness, messageId: string): Promise<string> {
    const before = await online(harness);
    await getAcquainted(harness, before);
    await before.session.send(textToAda(messageId));
    const sessionId = sessionIdOf(before);
    await before.session.close();
    await harness.crash();
    const device = harness.world.devices.get(sessionId);
    if (!device) throw new Error('not linked');
    harness.world.awaited.ask(ADA, device, { id: messageId, to: userJid(ADA) });
    return sessionId;
  }

  test('that came while no host was running is fulfilled and acknowledged', async () => {
    const harness = await setUp();
    const sessionId = await sentWhileAway(harness, '3EB0A004');
    await connected(harness, 2);
    await vi.waitFor(() => expect(harness.world.awaited.by(ADA)).toBe(0), WAIT);
    await vi.waitFor(() => expect(harness.world.mailboxes.waiting(sessionId)).toBe(0), WAIT);
    expect(bubblesOfAda(harness, '3EB0A004')).toBe(1);
  });

  test('is fulfilled again when the network did not confirm the message', async () => {
    const harness = await setUp();
    const sessionId = await sentWhileAway(harness, '3EB0A005');
    harness.world.faults.arm(sessionId, { kind: 'no_ack', count: 1, ms: 0 });
    await connected(harness, 2);
    // The phone has it already, so that each copy counts as dropped.
    await vi.waitFor(async () => {
      await harness.advance(5_000);
      expect(harness.world.phones.get(ADA).duplicatesDropped).toBeGreaterThan(1);
    }, WAIT);
    await vi.waitFor(() => expect(harness.world.mailboxes.waiting(sessionId)).toBe(0), WAIT);
  });
});

describe('a stanza of the network', () => {
  test('that comes twice or out of order becomes one event', async () => {
    const harness = await setUp();
    const me = await online(harness);
    await getAcquainted(harness, me);
    const receipt = (id: string, type?: string) => ({
      tag: 'receipt',
      attrs: { id, from: userJid(ADA), t: '1700000000', ...(type ? { type } : {}) },
    });
    for (const type of ['played', 'read', undefined, 'read', 'played', undefined]) {
      harness.wire.say(sessionIdOf(me), receipt('3EB0A001', type));
    }
    harness.wire.say(sessionIdOf(me), receipt('3EB0LAST', 'read'));
    const receipts = (messageId: string) =>
      me.events.flatMap((event) =>
        event.kind === 'receipt' && event.messageId === messageId ? event.type : [],
      );
    await vi.waitFor(() => expect(receipts('3EB0LAST')).toEqual(['read']), WAIT);
    expect(receipts('3EB0A001').toSorted()).toEqual(['delivered', 'played', 'read']);
  });

  test('that is invalid is ignored', async () => {
    const harness = await setUp();
    const me = await online(harness);
    const id = sessionIdOf(me);
    const from = userJid(ADA);
    const tags = [
      'message',
      'receipt',
      'notification',
      'call',
      'ack',
      'presence',
      'chatstate',
      'ib',
      'iq',
      'x',
    ];
    for (const tag of tags) {
      harness.wire.say(id, { tag, attrs: {} });
      harness.wire.say(id, { tag, attrs: { id: 'X', from, type: 'nonsense', class: 'message', t: 'never' } });
      harness.wire.say(id, { tag, attrs: { id: 'Y', from }, content: Buffer.from('garbage') });
      const enc = { tag: 'enc', attrs: { v: '2', type: 'msg' }, content: Buffer.from('garbage') };
      harness.wire.say(id, {
        tag,
        attrs: { id: 'Z', from, t: '1' },
        content: [enc, { tag: 'list', attrs: {} }],
      });
    }
    adaWrites(harness, 'AFTERWARDS');
    await vi.waitFor(() => expect(messageIds(me)).toContain('AFTERWARDS'), WAIT);
    expect(messageIds(me)).toEqual(['AFTERWARDS']);
    await me.session.send(textToAda('3EB0A009'));
    expect(bubblesOfAda(harness, '3EB0A009')).toBe(1);
    expect(harness.world.devices.of(ME)).toHaveLength(1);
  });
});

describe('the first message to a group', () => {
  test('can be read at once when the network accepts it on the second try, and so can another after one that it never accepted', async () => {
    const harness = await setUp();
    const me = await online(harness);
    const { group } = harness.world.groups.create(
      { phone: ME, device: 0 },
      { name: 'Us', participants: [userJid(ADA)] },
    );
    const send = (messageId: string): Promise<void> =>
      me.session.send({ ...textToAda(messageId), to: group.jid });
    const shown = (messageId: string) => harness.world.messages.find(ADA, messageId)?.content.type;

    // Closes the connection instead of accepting it.
    harness.intercept(({ tag }) =>
      tag === 'message' ? { tag: 'stream:error', attrs: { code: '515' } } : undefined,
    );
    await expect(send('3EB0D1')).rejects.toMatchObject({ kind: 'transient' });
    harness.intercept(() => undefined);
    await vi.waitFor(() => expect(me.session.state.kind).toBe('connected'), WAIT);
    await send('3EB0D1');
    expect(shown('3EB0D1')).toBe('text');

    const { group: other } = harness.world.groups.create(
      { phone: ME, device: 0 },
      { name: 'Us two', participants: [userJid(ADA)] },
    );
    harness.world.faults.arm(sessionIdOf(me), { kind: 'send_permanent', count: 1, ms: 0, code: 403 });
    const toOther = (messageId: string) => me.session.send({ ...textToAda(messageId), to: other.jid });
    await expect(toOther('3EB0D2')).rejects.toMatchObject({ code: 403 });
    await toOther('3EB0D3');
    expect(shown('3EB0D3')).toBe('text');
  });
});
