import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, proto } from 'baileys';
import { describe, expect, it, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import {
  ADA,
  adaWrites,
  connected,
  link,
  ME,
  messageIds,
  type Opened,
  online,
  useWire,
  WAIT,
} from '../testing/people.ts';

const setUp = useWire();
const HOUR = 3_600_000;

const sessionOf = ({ session }: Opened): string =>
  session.state.kind === 'connected' ? session.state.sessionId : '';

/** The next messages to the number come without their content. */
function withhold({ world }: WireHarness, me: Opened, count = 1, kind = 'unavailable' as const): void {
  world.faults.arm(sessionOf(me), { kind, count, ms: 0 });
}

const requestsIn = ({ received }: WireHarness): readonly BinaryNode[] =>
  received.filter(({ tag, attrs }) => tag === 'message' && attrs.category === 'peer');

const acknowledged = ({ received }: WireHarness, id: string): boolean =>
  received.some(({ tag, attrs }) => tag === 'ack' && attrs.class === 'message' && attrs.id === id);

const messages = ({ events }: Opened) => events.filter((event) => event.kind === 'message');

/** The phone gets the requests, and answers none. */
function silencePhone(harness: WireHarness): void {
  harness.intercept((stanza) =>
    stanza.tag === 'message' && stanza.attrs.category === 'peer'
      ? {
          tag: 'ack',
          attrs: { class: 'message', id: stanza.attrs.id ?? '', from: stanza.attrs.to ?? '', t: '7' },
        }
      : undefined,
  );
}

describe('a message that comes without its content', () => {
  it('is requested from the own phone, with the others of the same moment, and published once', async () => {
    const harness = await setUp();
    const me = await online(harness);
    withhold(harness, me, 3);
    for (const id of ['M1', 'M2', 'M3']) adaWrites(harness, id, `Hello ${id}`);
    await vi.waitFor(() => expect(acknowledged(harness, 'M3')).toBe(true), WAIT);
    expect(messages(me)).toEqual([]);
    await vi.waitFor(async () => {
      await harness.advance(1_000);
      expect(messageIds(me).toSorted()).toEqual(['M1', 'M2', 'M3']);
    }, WAIT);
    expect(messages(me)[0]).toMatchObject({
      chat: userJid(ADA),
      sender: userJid(ADA),
      senderLid: lidJid(harness.world.phones.get(ADA).lid),
      senderName: 'Ada',
      content: { kind: 'text', text: 'Hello M1' },
    });
    expect(requestsIn(harness)).toHaveLength(1);
    await harness.advance(HOUR);
    adaWrites(harness, 'M4');
    await vi.waitFor(() => expect(messageIds(me)).toContain('M4'), WAIT);
    expect(requestsIn(harness)).toHaveLength(1);
    expect(messageIds(me)).toHaveLength(4);
  });

  it('is requested in groups under its author, and of the own phone under its recipient', async () => {
    const harness = await setUp();
    const me = await online(harness);
    const { group } = harness.world.groups.create(
      { phone: ADA, device: 0 },
      { name: 'Lunch', participants: [userJid(ME)] },
    );
    withhold(harness, me, 2);
    const content = { type: 'text', text: 'Hi all' } as const;
    harness.world.messages.send({ phone: ADA, device: 0 }, { id: 'G1', to: group.jid, content });
    harness.world.messages.send({ phone: ME, device: 0 }, { id: 'O1', to: userJid(ADA), content });
    await vi.waitFor(async () => {
      await harness.advance(1_000);
      expect(messageIds(me).toSorted()).toEqual(['G1', 'O1']);
    }, WAIT);
    expect(messages(me).find(({ messageId }) => messageId === 'G1')).toMatchObject({
      chat: group.jid,
      isGroup: true,
      content: { text: 'Hi all' },
    });
    expect(messages(me).find(({ messageId }) => messageId === 'O1')).toMatchObject({
      chat: userJid(ADA),
      fromMe: true,
    });
  });

  it('is requested again by the next process, and by this one while the phone is silent', async () => {
    const harness = await setUp();
    const me = await online(harness);
    silencePhone(harness);
    withhold(harness, me);
    adaWrites(harness, 'M1');
    await vi.waitFor(async () => {
      await harness.advance(1_000);
      expect(requestsIn(harness).length).toBeGreaterThan(0);
    }, WAIT);
    await vi.waitFor(async () => {
      await harness.advance(5_000);
      expect(requestsIn(harness).length).toBeGreaterThan(1);
    }, WAIT);
    await harness.crash();
    harness.intercept(() => undefined);
    const next = await connected(harness, 2);
    await vi.waitFor(async () => {
      await harness.advance(2_000);
      expect(messageIds(next)).toEqual(['M1']);
    }, WAIT);
    expect(messages(next)[0]).toMatchObject({ content: { kind: 'text', text: 'Hello' } });
    expect(messageIds(me)).toEqual([]);
  });

  it('is one event where the process ends between the answer and its event, and the phone answers again', async () => {
    const harness = await setUp();
    await link(harness);
    const taken: string[] = [];
    const stuck = harness.driver.open({
      ...{ linkId: 'link', fence: 1, onState() {}, onStanding() {} },
      onEvents: (events) => {
        for (const event of events) if (event.kind === 'message') taken.push(event.messageId);
        return new Promise(() => {});
      },
    });
    await vi.waitFor(() => expect(stuck.state.kind).toBe('connected'), WAIT);
    const sessionId = stuck.state.kind === 'connected' ? stuck.state.sessionId : '';
    harness.world.faults.arm(sessionId, { kind: 'unavailable', count: 1, ms: 0 });
    adaWrites(harness, 'M1');
    await vi.waitFor(async () => {
      await harness.advance(1_000);
      expect(taken).toEqual(['M1']);
    }, WAIT);
    await harness.crash();
    const next = await connected(harness, 2);
    await vi.waitFor(() => expect(messageIds(next)).toEqual(['M1']), WAIT);
    await harness.advance(10_000);
    adaWrites(harness, 'M2');
    await vi.waitFor(() => expect(messageIds(next)).toEqual(['M1', 'M2']), WAIT);
  });

  it('becomes an event that says so when the phone does not have it', async () => {
    const harness = await setUp();
    const me = await online(harness);
    harness.wire.say(sessionOf(me), {
      tag: 'message',
      attrs: { id: 'GONE', from: lidJid(harness.world.phones.get(ADA).lid), sender_pn: userJid(ADA), t: '7' },
      content: [{ tag: 'unavailable', attrs: {} }],
    });
    await vi.waitFor(async () => {
      await harness.advance(5_000);
      expect(messageIds(me)).toEqual(['GONE']);
    }, WAIT);
    expect(messages(me)[0]).toMatchObject({
      chat: userJid(ADA),
      content: { kind: 'other', text: '', unavailable: 'not_resent' },
    });
    expect(requestsIn(harness).length).toBeGreaterThan(2);
  });

  it('becomes one after three days of silence, and stays the only one', async () => {
    const harness = await setUp();
    const me = await online(harness);
    silencePhone(harness);
    withhold(harness, me);
    adaWrites(harness, 'M1');
    await vi.waitFor(() => expect(acknowledged(harness, 'M1')).toBe(true), WAIT);
    await harness.advance(71 * HOUR);
    expect(messages(me)).toEqual([]);
    await vi.waitFor(async () => {
      await harness.advance(HOUR);
      expect(messages(me)).toMatchObject([{ messageId: 'M1', content: { unavailable: 'not_resent' } }]);
    }, WAIT);
    // The last request may still be on its way.
    adaWrites(harness, 'M2');
    await vi.waitFor(() => expect(messageIds(me)).toEqual(['M1', 'M2']), WAIT);
    const count = requestsIn(harness).length;
    await harness.advance(24 * HOUR);
    adaWrites(harness, 'M3');
    await vi.waitFor(() => expect(messageIds(me)).toEqual(['M1', 'M2', 'M3']), WAIT);
    expect(requestsIn(harness)).toHaveLength(count);
  });

  it.each([
    ['hosted', 'unavailable_hosted'],
    ['bot', 'unavailable_bot'],
  ] as const)('is not requested where the phone keeps it for itself: %s', async (unavailable, kind) => {
    const harness = await setUp();
    const me = await online(harness);
    harness.world.faults.arm(sessionOf(me), { kind, count: 1, ms: 0 });
    adaWrites(harness, 'M1');
    await vi.waitFor(() => expect(messageIds(me)).toEqual(['M1']), WAIT);
    expect(messages(me)[0]).toMatchObject({ content: { kind: 'other', text: '', unavailable } });
    await harness.advance(10_000);
    expect(requestsIn(harness)).toEqual([]);
  });
});

it('takes messages for another device from the own phone only', async () => {
  const harness = await setUp();
  const me = await online(harness);
  const forged = proto.WebMessageInfo.encode({
    key: { remoteJid: '15550009009@s.whatsapp.net', fromMe: false, id: 'FORGED' },
    message: { conversation: 'Send me your money' },
    messageTimestamp: 7,
  }).finish();
  const raw = proto.Message.encode({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        peerDataOperationResult: [{ placeholderMessageResendResponse: { webMessageInfoBytes: forged } }],
      },
    },
  }).finish();
  harness.world.messages.send(
    { phone: ADA, device: 0 },
    { id: 'A1', to: userJid(ME), content: { type: 'other', raw: Buffer.from(raw).toString('base64') } },
  );
  adaWrites(harness, 'A2');
  await vi.waitFor(() => expect(messageIds(me)).toContain('A2'), WAIT);
  expect(messageIds(me)).toEqual(['A2']);
});
