import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../testing/conformance/expectations.ts';
import { startWireHarness, type WireHarness } from '../testing/fixture.ts';
import { ADA, connected, link, ME, type Opened, online, useWire, WAIT } from '../testing/people.ts';
import { type CreateAddressing, createAddressing } from './addressing.ts';

/** One number for all tests; each test has people of its own, whom the driver does not know yet. */
let harness: WireHarness;
let me: Opened;
let count = 0;

beforeAll(async () => {
  harness = await startWireHarness();
  harness.world.phones.create(ME, { name: 'Parley' });
  await link(harness);
  me = await connected(harness);
});

afterEach(() => harness.intercept(() => undefined));
afterAll(() => harness.dispose());

interface Person {
  readonly phone: string;
  readonly jid: string;
  readonly lid: string;
}

function newPerson(): Person {
  count += 1;
  const phone = String(15_550_003_000 + count);
  return { phone, jid: userJid(phone), lid: lidJid(harness.world.phones.create(phone, { name: 'Ada' }).lid) };
}

const text = (messageId: string, to: string) =>
  ({ messageId, to, content: { kind: 'text', text: 'Hello' } }) as const;

function newId(): string {
  count += 1;
  return `3EB0ADD${count}`;
}

async function sendTo(to: string): Promise<string> {
  const messageId = newId();
  await me.session.send(text(messageId, to));
  return messageId;
}

const stanzasOf = (messageId: string): BinaryNode[] =>
  harness.received.filter(({ tag, attrs }) => tag === 'message' && attrs.id === messageId);

const copiesIn = (stanza: BinaryNode | undefined): string[] =>
  getBinaryNodeChildren(getBinaryNodeChild(stanza, 'participants'), 'to').map(({ attrs }) => attrs.jid ?? '');

/** Queries about a person, by what they ask for. */
const questionsAbout = ({ jid, lid }: Person, part: 'lid' | 'devices'): BinaryNode[] =>
  harness.received.filter((stanza) => {
    const query = getBinaryNodeChild(getBinaryNodeChild(stanza, 'usync'), 'query');
    return (
      getBinaryNodeChild(query, part) !== undefined &&
      askedAbout(stanza).some((one) => one === jid || one === lid)
    );
  });

function askedAbout(stanza: BinaryNode): string[] {
  const list = getBinaryNodeChild(getBinaryNodeChild(stanza, 'usync'), 'list');
  return getBinaryNodeChildren(list, 'user').map(({ attrs }) => attrs.jid ?? '');
}

/** The network's answer about a person whom it knows, without any details. */
function bareAnswer(stanza: BinaryNode, parts: readonly BinaryNode[] = []): BinaryNode {
  const user = (jid: string) => ({ tag: 'user', attrs: { jid }, content: [...parts] });
  const list = { tag: 'list', attrs: {}, content: askedAbout(stanza).map(user) };
  return {
    tag: 'iq',
    attrs: { id: stanza.attrs.id ?? '', type: 'result', from: 's.whatsapp.net' },
    content: [{ tag: 'usync', attrs: {}, content: [list] }],
  };
}

function refused({ attrs }: BinaryNode, error: string): BinaryNode {
  return { tag: 'ack', attrs: { class: 'message', id: attrs.id ?? '', from: attrs.to ?? '', t: '1', error } };
}

const sessionId = (): string => (me.session.state.kind === 'connected' ? me.session.state.sessionId : '');

describe('a person who is named by the number', () => {
  test('gets messages under the hidden address, on every device, with both addresses for the network', async () => {
    const ada = newPerson();
    const [stanza, ...others] = stanzasOf(await sendTo(ada.jid));

    expect(others).toEqual([]);
    expect(stanza?.attrs).toMatchObject({ to: ada.lid, peer_recipient_pn: ada.jid });
    expect(copiesIn(stanza)).toContain(ada.lid);
    expect(copiesIn(stanza).filter((jid) => !jid.endsWith('@lid'))).toEqual([]);
  });

  test('is looked up once, for good', async () => {
    const ada = newPerson();
    await sendTo(ada.jid);
    await me.session.close();
    await harness.crash();
    count += 1;
    me = await connected(harness, count);
    harness.intercept((stanza) =>
      askedNumbers(stanza).includes(ada.phone) ? withoutLid(stanza, ada) : undefined,
    );

    const [stanza] = stanzasOf(await sendTo(ada.jid));

    expect(stanza?.attrs.to).toBe(ada.lid);
    expect(harness.received.filter((query) => askedAbout(query).includes(ada.jid))).toEqual([]);
  });

  test('gets typing under it as well', async () => {
    const ada = newPerson();
    await me.session.presence.setTyping(ada.jid, true);
    await vi.waitFor(
      () => expect(harness.received.findLast(({ tag }) => tag === 'chatstate')?.attrs.to).toBe(ada.lid),
      WAIT,
    );
  });

  test('is quoted under it, and so is the number itself', async () => {
    const ada = newPerson();
    const quoted = async (participant: string) => {
      const messageId = newId();
      const quote = { messageId: '3EB0QUOTED', participant, text: 'Before' };
      await me.session.send({ messageId, to: ada.jid, content: { kind: 'text', text: 'Hello', quote } });
      const bubble = harness.world.messages.find(ada.phone, messageId)?.content;
      return bubble && 'quote' in bubble ? bubble.quote?.sender : undefined;
    };
    expect(await quoted(ada.jid)).toBe(ada.phone);
    expect(await quoted(userJid(ME))).toBe(ME);
  });

  test('is named by the number in events that come back under the hidden address', async () => {
    const ada = newPerson();
    const messageId = await sendTo(ada.jid);
    harness.wire.say(sessionId(), {
      tag: 'receipt',
      attrs: { id: messageId, from: ada.lid, type: 'read', t: '7' },
    });
    await vi.waitFor(
      () =>
        expect(me.events).toContainEqual(
          expect.objectContaining({ kind: 'receipt', messageId, recipient: ada.jid, type: 'read' }),
        ),
      WAIT,
    );
  });

  test('gets it again under the hidden address, whichever of the two asks', async () => {
    const ada = newPerson();
    const messageId = await sendTo(ada.jid);
    harness.wire.say(sessionId(), {
      tag: 'receipt',
      attrs: { id: messageId, from: ada.jid, type: 'retry', t: '1' },
      content: [{ tag: 'retry', attrs: { count: '1', id: messageId, t: '1', v: '1' } }],
    });
    await vi.waitFor(() => expect(stanzasOf(messageId)).toHaveLength(2), WAIT);
    expect(stanzasOf(messageId)[1]?.attrs.to).toBe(ada.lid);
  });
});

function askedNumbers(stanza: BinaryNode): string[] {
  const list = getBinaryNodeChild(getBinaryNodeChild(stanza, 'usync'), 'list');
  return getBinaryNodeChildren(list, 'user').map((user) =>
    String(getBinaryNodeChild(user, 'contact')?.content ?? '').replace(/\D/g, ''),
  );
}

const DEVICE_LIST = (devices: readonly string[]): BinaryNode => ({
  tag: 'devices',
  attrs: {},
  content: [
    { tag: 'device-list', attrs: {}, content: devices.map((id) => ({ tag: 'device', attrs: { id } })) },
  ],
});

/** Registered and reachable, and known by the number alone. */
function withoutLid(stanza: BinaryNode, { jid }: Person): BinaryNode {
  const answer = bareAnswer(stanza, [{ tag: 'contact', attrs: { type: 'in' } }, DEVICE_LIST(['0'])]);
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
  for (const user of getBinaryNodeChildren(list, 'user')) user.attrs.jid ||= jid;
  return answer;
}

test('sends a story to hidden addresses', async () => {
  const ada = newPerson();
  const own = await useStory(ada);
  expect(copiesIn(own)).toContain(ada.lid);
  expect(copiesIn(own).filter((jid) => !jid.endsWith('@lid'))).toEqual([]);
});

async function useStory(ada: Person): Promise<BinaryNode | undefined> {
  harness.world.contacts.save(
    { phone: ME, device: 0 },
    { phone: ada.phone, firstName: 'Ada', fullName: 'Ada Lovelace' },
  );
  await vi.waitFor(
    async () => expect((await me.session.contacts.list()).map(({ jid }) => jid)).toContain(ada.jid),
    WAIT,
  );
  const messageId = newId();
  await me.session.send({ messageId, content: { kind: 'status_text', text: 'A story' } });
  return stanzasOf(messageId)[0];
}

test('finds a person’s devices though the network lists none under the number: in a chat, in a group and in a story', async () => {
  const rules = harness.world.standing.rules();
  harness.world.standing.setRules({ ...rules, hideDevicesOfNumbers: true });
  const ada = newPerson();
  const { group } = harness.world.groups.create(
    { phone: ME, device: 0 },
    { name: 'Us', participants: [ada.jid] },
  );
  for (const to of [ada.jid, ada.lid, group.jid]) {
    const messageId = await sendTo(to);
    expect(harness.world.messages.find(ada.phone, messageId)).toMatchObject({ content: { type: 'text' } });
    // The number's own phone has a copy.
    expect(harness.world.messages.find(ME, messageId)).toMatchObject({ content: { type: 'text' } });
  }
  expect(copiesIn(await useStory(ada))).toContain(ada.lid);
  harness.world.standing.setRules(rules);
});

describe('a person of whom the network lists no device', () => {
  test('gets no message, and may get one later', async () => {
    const rules = harness.world.standing.rules();
    harness.world.standing.setRules({ ...rules, hideDevicesOfNumbers: true });
    const ada = newPerson();
    harness.intercept((stanza) =>
      questionsAbout(ada, 'devices').includes(stanza) ? bareAnswer(stanza, [DEVICE_LIST([])]) : undefined,
    );
    const messageId = newId();
    expect((await failureOf(me.session.send(text(messageId, ada.jid)))).kind).toBe('transient');
    expect(stanzasOf(messageId)).toEqual([]);

    harness.intercept(() => undefined);
    await me.session.send(text(messageId, ada.jid));
    expect(harness.world.messages.find(ada.phone, messageId)).toBeDefined();
    harness.world.standing.setRules(rules);
  });

  test('is looked up again when the network announces a change of the devices', async () => {
    const ada = newPerson();
    await sendTo(ada.jid);
    const before = questionsAbout(ada, 'devices').length;
    const id = newId();
    harness.wire.say(sessionId(), {
      tag: 'notification',
      attrs: { id, type: 'devices', from: ada.jid, lid: ada.lid, t: '1' },
      content: [
        {
          tag: 'add',
          attrs: { device_hash: '2:x' },
          content: [
            { tag: 'device', attrs: { jid: ada.jid.replace('@', ':9@'), lid: ada.lid.replace('@', ':9@') } },
          ],
        },
      ],
    });
    await vi.waitFor(() => expect(harness.received.map(({ attrs }) => attrs.id)).toContain(id), WAIT);

    await sendTo(ada.jid);
    expect(questionsAbout(ada, 'devices')).toHaveLength(before + 1);
  });
});

describe('a message that the network rejects as malformed', () => {
  test('is addressed again and retried once, under the same id', async () => {
    const ada = newPerson();
    await sendTo(ada.jid);
    const before = questionsAbout(ada, 'devices').length;
    let refusals = 0;
    harness.intercept((stanza) => {
      if (stanza.tag !== 'message' || refusals > 0) return undefined;
      refusals += 1;
      return refused(stanza, '479');
    });

    expect(stanzasOf(await sendTo(ada.jid))).toHaveLength(2);
    expect(questionsAbout(ada, 'devices')).toHaveLength(before + 1);
  });

  test('has failed after that', async () => {
    const ada = newPerson();
    harness.intercept((stanza) => (stanza.tag === 'message' ? refused(stanza, '479') : undefined));
    const messageId = newId();
    expect((await failureOf(me.session.send(text(messageId, ada.jid)))).kind).toBe('permanent');
    expect(stanzasOf(messageId)).toHaveLength(2);
  });
});

test.each([
  ['to a person whom the number may not write to', '463'],
  ['beyond the quota of new chats', '475'],
])('does not retry a message %s', async (_what, code) => {
  const ada = newPerson();
  harness.intercept((stanza) => (stanza.tag === 'message' ? refused(stanza, code) : undefined));
  const messageId = newId();
  expect(await failureOf(me.session.send(text(messageId, ada.jid)))).toMatchObject({
    kind: 'permanent',
    failure: 'other',
    code: Number(code),
  });
  expect(stanzasOf(messageId)).toHaveLength(1);
});

describe('a message to a group that has changed its addressing', () => {
  const newGroup = () => {
    const ada = newPerson();
    const { group } = harness.world.groups.create(
      { phone: ME, device: 0 },
      { name: 'Us', participants: [ada.jid] },
    );
    return { ada, group };
  };
  const questionsAboutGroup = (jid: string) =>
    harness.received.filter(({ tag, attrs }) => tag === 'iq' && attrs.xmlns === 'w:g2' && attrs.to === jid)
      .length;

  test('is sent once more with the group and the devices as they are now', async () => {
    const { ada, group } = newGroup();
    await sendTo(group.jid);
    const [groupBefore, devicesBefore] = [
      questionsAboutGroup(group.jid),
      questionsAbout(ada, 'devices').length,
    ];
    let refusals = 0;
    harness.intercept((stanza) => {
      if (stanza.tag !== 'message' || refusals > 0) return undefined;
      refusals += 1;
      return refused(stanza, '421');
    });
    const messageId = await sendTo(group.jid);
    expect(stanzasOf(messageId)).toHaveLength(2);
    expect(questionsAboutGroup(group.jid)).toBe(groupBefore + 1);
    expect(questionsAbout(ada, 'devices')).toHaveLength(devicesBefore + 1);
    expect(harness.world.messages.find(ada.phone, messageId)).toBeDefined();
  });

  test('has failed after that, and the next one brings the key to all members', async () => {
    const { ada, group } = newGroup();
    await sendTo(group.jid);
    harness.intercept((stanza) => (stanza.tag === 'message' ? refused(stanza, '421') : undefined));
    const messageId = newId();
    expect(await failureOf(me.session.send(text(messageId, group.jid)))).toMatchObject({
      kind: 'permanent',
      failure: 'other',
      code: 421,
    });
    expect(stanzasOf(messageId)).toHaveLength(2);
    harness.intercept(() => undefined);
    const next = await sendTo(group.jid);
    expect(copiesIn(stanzasOf(next)[0])).toContain(ada.lid);
  });
});

describe('a network that accepts direct messages under hidden addresses only', () => {
  const setUp = useWire();
  const byNumber: CreateAddressing = () => ({
    attach() {},
    of: async (_sock, jid) => jid,
    ofAll: async (_sock, jids) => jids,
    refresh: async (_sock, jid) => jid,
  });

  const wrongAtFirst: CreateAddressing = (parts) => ({
    ...createAddressing(parts),
    of: async (_sock, jid) => jid,
  });

  test.each([
    ['refuses every one of a driver that writes to numbers', byNumber, 'permanent'],
    ['accepts those of the driver unchanged', createAddressing, 'sent'],
    ['accepts those of a driver that had the address wrong, on the second try', wrongAtFirst, 'sent'],
  ])('%s', async (_what, create, expected) => {
    const strict = await setUp({ createAddressing: create });
    const { session } = await online(strict);
    const outcome = session.send(text('3EB0STRICT', userJid(ADA))).then(
      () => 'sent',
      ({ kind }) => kind,
    );
    expect(await outcome).toBe(expected);
  });
});
