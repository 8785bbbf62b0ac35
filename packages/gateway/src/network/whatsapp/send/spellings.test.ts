import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import {
  ADA,
  bubblesOfAda,
  connected,
  linkedBy,
  ME,
  messageIds,
  online,
  textToAda,
  useWire,
  WAIT,
} from '../testing/people.ts';

const setUp = useWire();

const SPELLINGS = [
  { country: 'Brazilian', own: '558487654321', typed: '5584987654321' },
  { country: 'Brazilian', own: '5511987654321', typed: '551187654321' },
  { country: 'Mexican', own: '5215512345678', typed: '525512345678' },
  { country: 'Mexican', own: '525512345678', typed: '5215512345678' },
  { country: 'Argentinian', own: '5491123456789', typed: '541123456789' },
] as const;
const [BRAZILIAN] = SPELLINGS;

interface Spelled {
  readonly own: string;
  readonly typed: string;
}

function createPerson({ world }: WireHarness, { own, typed }: Spelled = BRAZILIAN): string {
  return lidJid(world.phones.create(own, { name: 'Rui', otherSpelling: typed }).lid);
}

const text = (messageId: string, to: string) =>
  ({ messageId, to: userJid(to), content: { kind: 'text', text: 'Hello' } }) as const;

/** Numbers and addresses with numbers that the directory was asked about since `from`. */
function numbersAsked({ received }: Pick<WireHarness, 'received'>, from = 0): string[] {
  return received.slice(from).flatMap((stanza: BinaryNode) => {
    const list = getBinaryNodeChild(getBinaryNodeChild(stanza, 'usync'), 'list');
    return getBinaryNodeChildren(list, 'user')
      .map((user) => user.attrs.jid ?? String(getBinaryNodeChild(user, 'contact')?.content))
      .filter((asked) => !asked.endsWith('@lid') && asked !== userJid(ME));
  });
}

const addressesOf = ({ received }: WireHarness, messageId: string): string[] =>
  received.flatMap(({ tag, attrs }) => (tag === 'message' && attrs.id === messageId ? (attrs.to ?? '') : []));

describe.each(SPELLINGS)('a $country number in another spelling, $typed for $own', (spelled) => {
  test('is sent to its account, also after a restart, which asks for no number again', async () => {
    const harness = await setUp();
    const lid = createPerson(harness, spelled);
    const me = await online(harness);

    await me.session.send(text('3EB0FIRST', spelled.typed));
    expect(addressesOf(harness, '3EB0FIRST')).toEqual([lid]);
    expect(harness.world.messages.find(spelled.own, '3EB0FIRST')).toMatchObject({
      content: { text: 'Hello' },
    });

    await me.session.close();
    await harness.crash();
    const next = await connected(harness, 2);
    const before = harness.received.length;
    await next.session.send(text('3EB0SECOND', spelled.typed));
    expect(harness.world.messages.find(spelled.own, '3EB0SECOND')).toBeDefined();
    expect(numbersAsked(harness, before)).toEqual([]);
  });
});

test('a message to another person leaves right behind one to a number in another spelling', async () => {
  const harness = await setUp();
  createPerson(harness);
  const { session } = await online(harness);
  await session.send(text('3EB0FIRST', BRAZILIAN.typed));
  await session.send(textToAda('3EB0BEHIND'));
  expect(bubblesOfAda(harness, '3EB0BEHIND')).toBe(1);
});

test('a chat is named by the number of the account, as its replies and receipts are', async () => {
  const harness = await setUp();
  createPerson(harness);
  const { own, typed } = BRAZILIAN;
  const me = await online(harness);
  await me.session.send(text('3EB0FIRST', typed));
  harness.world.messages.mark(own, '3EB0FIRST', 'read');
  harness.world.messages.send(
    { phone: own, device: 0 },
    { id: 'REPLY', to: userJid('15550001001'), content: { type: 'text', text: 'Hi' } },
  );
  await vi.waitFor(() => expect(messageIds(me)).toContain('REPLY'), WAIT);
  expect(me.events).toContainEqual(
    expect.objectContaining({ kind: 'receipt', messageId: '3EB0FIRST', recipient: userJid(own) }),
  );
  expect(me.events.find((event) => event.kind === 'message')).toMatchObject({ chat: userJid(own) });
  expect(await me.session.chatOf(userJid(typed))).toBe(userJid(own));
  expect(await me.session.chatOf(userJid(own))).toBe(userJid(own));
  expect(await me.session.chatOf(userJid(ADA))).toBe(userJid(ADA));
});

test('a number check answers the number of the account, and the send after it asks for no number again', async () => {
  const harness = await setUp();
  const lid = createPerson(harness);
  const { own, typed } = BRAZILIAN;
  const { session } = await online(harness);
  expect(await session.contacts.lookUp([typed, ADA, own, '558400000000'])).toEqual([
    { number: typed, jid: userJid(own) },
    { number: ADA, jid: userJid(ADA) },
    { number: own, jid: userJid(own) },
    { number: '558400000000' },
  ]);
  expect(await session.contacts.identify(userJid(typed))).toMatchObject({ jid: userJid(own), lid });

  const before = harness.received.length;
  await session.send(text('3EB0CHECKED', typed));
  expect(harness.world.messages.find(own, '3EB0CHECKED')).toBeDefined();
  expect(numbersAsked(harness, before)).toEqual([]);
});

test('another linked number learns the spelling by a query of the first', async () => {
  const harness = await setUp();
  createPerson(harness);
  const { own, typed } = BRAZILIAN;
  const me = await online(harness);
  await me.session.send(text('3EB0FIRST', typed));
  harness.world.phones.create('15550001002', { name: 'Second' });
  const second = await linkedBy(harness, '15550001002');
  await second.session.send(text('3EB0OTHER', typed));
  expect(harness.world.messages.find(own, '3EB0OTHER')).toBeDefined();
  expect(await second.session.chatOf(userJid(typed))).toBe(userJid(own));
});

test('a spelling is stored sealed, for 30 days, and only where it is another one', async () => {
  const harness = await setUp();
  createPerson(harness);
  const { own, typed } = BRAZILIAN;
  const { session } = await online(harness);
  const sentAt = harness.now();
  await session.send(text('3EB0FIRST', typed));
  await session.send(text('3EB0SECOND', own));
  await session.send(textToAda('3EB0BEHIND'));
  const stored = await harness.store.read
    .selectFrom('network_records')
    .select(['id', 'value', 'expires_at'])
    .where('kind', '=', 'spelling')
    .execute();
  expect(stored).toMatchObject([{ id: typed }]);
  expect(Buffer.from(stored[0]?.value ?? []).includes(own)).toBe(false);
  const days = (Number(stored[0]?.expires_at) - sentAt) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(30);
  expect(days).toBeLessThan(30.01);
});

test('typing goes to the account', async () => {
  const harness = await setUp();
  const lid = createPerson(harness);
  const { session } = await online(harness);
  await session.send(text('3EB0FIRST', BRAZILIAN.typed));
  await session.presence.setTyping(userJid(BRAZILIAN.typed), true);
  await vi.waitFor(
    () => expect(harness.received.findLast(({ tag }) => tag === 'chatstate')?.attrs.to).toBe(lid),
    WAIT,
  );
});

test('a message whose account has changed its number reaches it at the next attempt, under the same id', async () => {
  const harness = await setUp();
  const { own, typed } = BRAZILIAN;
  const { session } = await online(harness);
  const former = { own: '558411111111', typed };
  let isFormer = true;
  // The directory names a former number, which has no devices any more.
  harness.intercept((stanza) =>
    isFormer && numbersAsked({ received: [stanza] }).includes(`+${typed}`)
      ? answerAbout(stanza, former)
      : undefined,
  );
  createPerson(harness);
  await expect(session.send(text('3EB0MOVED', typed))).rejects.toMatchObject({ kind: 'transient' });
  isFormer = false;
  await session.send(text('3EB0MOVED', typed));
  expect(harness.world.messages.find(own, '3EB0MOVED')).toBeDefined();
});

function answerAbout({ attrs }: BinaryNode, { own, typed }: Spelled): BinaryNode {
  const contact = { tag: 'contact', attrs: { type: 'in' }, content: Buffer.from(`+${typed}`) };
  const list = {
    tag: 'list',
    attrs: {},
    content: [{ tag: 'user', attrs: { jid: userJid(own) }, content: [contact] }],
  };
  return {
    tag: 'iq',
    attrs: { id: attrs.id ?? '', type: 'result', from: 's.whatsapp.net' },
    content: [{ tag: 'usync', attrs: {}, content: [list] }],
  };
}
