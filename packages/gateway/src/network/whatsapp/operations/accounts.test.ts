import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import { connected, ME, online, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();
const RUI = '15550002777';
const UNREGISTERED = '15550002778';
const HOUR_MS = 3_600_000;

const text = (messageId: string) =>
  ({ messageId, to: userJid(RUI), content: { kind: 'text', text: 'Hello' } }) as const;

interface Question {
  /** Numbers or addresses. */
  readonly people: readonly string[];
  readonly wanted: readonly string[];
}

/** Queries of the directory about other people since `from`. */
function questions({ received }: Pick<WireHarness, 'received'>, from = 0): Question[] {
  return received.slice(from).flatMap((stanza: BinaryNode) => {
    const usync = getBinaryNodeChild(stanza, 'usync');
    const people = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user')
      .map((user) => user.attrs.jid ?? String(getBinaryNodeChild(user, 'contact')?.content))
      .filter((person) => !isOwn(person));
    const query = getBinaryNodeChild(usync, 'query')?.content;
    return people.length === 0 || !Array.isArray(query)
      ? []
      : { people, wanted: query.map(({ tag }) => tag).sort() };
  });
}

let ownAddresses: readonly string[] = [];
const isOwn = (person: string): boolean => ownAddresses.includes(person.replace(/:\d+@/, '@'));

async function linked() {
  const harness = await setUp();
  ownAddresses = [userJid(ME), lidJid(harness.world.phones.get(ME).lid)];
  return { harness, ...(await online(harness)) };
}

const numbersAsked = (harness: WireHarness, from: number): string[] =>
  questions(harness, from)
    .flatMap(({ people }) => people)
    .filter((person) => !person.endsWith('@lid'));

test('a first message asks the directory once, for the account, its hidden address and its devices', async () => {
  const { harness, session } = await linked();
  harness.world.phones.create(RUI, { name: 'Rui' });
  const before = harness.received.length;
  await session.send(text('3EB0FIRST'));
  expect(harness.world.messages.find(RUI, '3EB0FIRST')).toBeDefined();
  expect(questions(harness, before)).toEqual([
    { people: [`+${RUI}`], wanted: ['business', 'contact', 'devices', 'lid'] },
  ]);
  const later = harness.received.length;
  await session.send(text('3EB0SECOND'));
  expect(questions(harness, later)).toEqual([]);
});

test('a recent check is not asked again, also after a restart; a stale one is', async () => {
  const { harness, session } = await linked();
  harness.world.phones.create(RUI, { name: 'Rui', businessName: 'The Shop' });
  const answer = [{ number: RUI, jid: userJid(RUI), verifiedName: 'The Shop' }];
  expect(await session.contacts.lookUp([RUI])).toEqual(answer);
  await session.close();
  await harness.crash();
  const next = await connected(harness, 2);
  const before = harness.received.length;
  expect(await next.session.contacts.lookUp([RUI])).toEqual(answer);
  await next.session.send(text('3EB0KNOWN'));
  expect(numbersAsked(harness, before)).toEqual([]);

  await harness.advance(24 * HOUR_MS + 1);
  // The connection may be renewed after such a leap.
  await vi.waitFor(() => next.session.contacts.lookUp([RUI]), WAIT);
  expect(numbersAsked(harness, before)).toEqual([`+${RUI}`]);
});

test('a number that is not on the network is remembered for a shorter time', async () => {
  const { harness, session } = await linked();
  const before = harness.received.length;
  const isRefused = () =>
    expect(session.send(text('3EB0UNKNOWN'))).rejects.toMatchObject({ kind: 'permanent' });
  await isRefused();
  harness.world.phones.create(RUI, { name: 'Rui' });
  await isRefused();
  expect(await session.contacts.lookUp([RUI])).toEqual([{ number: RUI }]);
  expect(numbersAsked(harness, before)).toEqual([`+${RUI}`]);

  await harness.advance(HOUR_MS / 12 + 1);
  await session.send(text('3EB0REGISTERED'));
  expect(harness.world.messages.find(RUI, '3EB0REGISTERED')).toBeDefined();
  expect(numbersAsked(harness, before)).toEqual([`+${RUI}`, `+${RUI}`]);
});

test('only numbers without a recent check are asked about, each once', async () => {
  const { harness, session } = await linked();
  harness.world.phones.create(RUI, { name: 'Rui' });
  await session.contacts.lookUp([RUI]);
  const before = harness.received.length;
  expect(await session.contacts.lookUp([UNREGISTERED, RUI, UNREGISTERED])).toEqual([
    { number: UNREGISTERED },
    { number: RUI, jid: userJid(RUI) },
    { number: UNREGISTERED },
  ]);
  expect(numbersAsked(harness, before)).toEqual([`+${UNREGISTERED}`]);
});

test('a number that was given up after its check is asked about again when it cannot be reached', async () => {
  const { harness, session } = await linked();
  const unknown = [{ tag: 'contact', attrs: { type: 'out' }, content: Buffer.from(`+${RUI}`) }];
  const registered = [{ tag: 'contact', attrs: { type: 'in' }, content: Buffer.from(`+${RUI}`) }];
  let answer = registered;
  harness.intercept((stanza) =>
    questions({ received: [stanza] }).length === 0
      ? undefined
      : answerWith(stanza, { tag: 'user', attrs: { jid: userJid(RUI) }, content: answer }),
  );
  await session.contacts.lookUp([RUI]);
  answer = unknown;
  await expect(session.send(text('3EB0GONE'))).rejects.toMatchObject({ kind: 'transient' });
  await expect(session.send(text('3EB0GONE'))).rejects.toMatchObject({ kind: 'permanent' });
});

test('checks are kept sealed, for a day', async () => {
  const { harness, session } = await linked();
  const askedAt = harness.now();
  await session.contacts.lookUp([UNREGISTERED]);
  const records = await harness.store.read
    .selectFrom('network_records')
    .select(['value', 'expires_at'])
    .where('kind', '=', 'number-checks')
    .execute();
  expect(records).toHaveLength(1);
  expect(Buffer.from(records[0]?.value ?? []).includes(UNREGISTERED)).toBe(false);
  const hours = (Number(records[0]?.expires_at) - askedAt) / HOUR_MS;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(24.2);
});

function answerWith({ attrs }: BinaryNode, user: BinaryNode): BinaryNode {
  const list = { tag: 'list', attrs: {}, content: [user] };
  return {
    tag: 'iq',
    attrs: { id: attrs.id ?? '', type: 'result', from: 's.whatsapp.net' },
    content: [{ tag: 'usync', attrs: {}, content: [list] }],
  };
}
