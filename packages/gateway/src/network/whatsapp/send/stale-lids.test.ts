import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, bubblesOfAda, online, textToAda, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

const partsOf = (question: BinaryNode, part: 'query' | 'list'): BinaryNode[] => {
  const content = getBinaryNodeChild(getBinaryNodeChild(question, 'usync'), part)?.content;
  return Array.isArray(content) ? content : [];
};

const isUserQuery = ({ attrs }: BinaryNode): boolean => attrs.xmlns === 'usync';

/** How often the hidden address of a number was queried. */
const asked = ({ received }: WireHarness, number: string): number =>
  received.filter(
    (question) =>
      isUserQuery(question) &&
      partsOf(question, 'query').some(({ tag }) => tag === 'lid') &&
      partsOf(question, 'list').some(({ attrs }) => attrs.jid === number),
  ).length;

test('queries the hidden address anew when the network says that the known one is stale', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  await session.send(textToAda('3EB0L1'));
  const before = asked(harness, userJid(ADA));
  harness.intercept(({ tag, attrs: { id = '', to = '' } }) =>
    tag === 'message' && id === '3EB0L2'
      ? { tag: 'ack', attrs: { class: 'message', id, from: to, t: '1', refresh_lid: 'true' } }
      : undefined,
  );
  await session.send(textToAda('3EB0L2'));
  await vi.waitFor(() => expect(asked(harness, userJid(ADA))).toBe(before + 1), WAIT);
  await session.send(textToAda('3EB0L3'));
  expect(bubblesOfAda(harness, '3EB0L3')).toBe(1);
  expect(asked(harness, userJid(ADA))).toBe(before + 1);
});

test('understands answers that name people by their hidden address, with the number beside it', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  const jid = lidJid(harness.world.phones.get(ADA).lid);
  harness.intercept((question) => {
    const isAboutAda = partsOf(question, 'list').some(
      (user) => user.attrs.jid === userJid(ADA) || getBinaryNodeChildren(user, 'contact').length > 0,
    );
    const wanted = partsOf(question, 'query').map(({ tag }) => tag);
    if (!isUserQuery(question) || !isAboutAda || wanted.includes('devices')) return undefined;
    // Without `<lid>`, which repeats the address, and without the number as it was asked.
    const parts: BinaryNode[] = wanted.includes('contact') ? [{ tag: 'contact', attrs: { type: 'in' } }] : [];
    const user: BinaryNode = { tag: 'user', attrs: { jid, pn_jid: userJid(ADA) }, content: parts };
    const list: BinaryNode = { tag: 'list', attrs: {}, content: [user] };
    const content: BinaryNode[] = [{ tag: 'usync', attrs: { addressing_mode: 'lid' }, content: [list] }];
    return {
      tag: 'iq',
      attrs: { id: question.attrs.id ?? '', from: 's.whatsapp.net', type: 'result' },
      content,
    };
  });
  expect(await session.contacts.lookUp([ADA])).toEqual([{ number: ADA, jid: userJid(ADA) }]);
  await session.send(textToAda('3EB0L4'));
  expect(bubblesOfAda(harness, '3EB0L4')).toBe(1);
  const sent = harness.received.find(({ tag, attrs }) => tag === 'message' && attrs.id === '3EB0L4');
  expect(sent?.attrs.to).toBe(jid);
  expect(await session.contacts.identify(userJid(ADA))).toEqual({ lid: jid, jid: userJid(ADA) });
});

test('sets the About text by the query that clients of today use', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  await session.contacts.setAbout('Answers within a day');
  const queries = harness.received.flatMap((stanza) => getBinaryNodeChildren(stanza, 'query'));
  const change = queries.find(({ attrs }) => attrs.query_id === '9152604461510864');
  expect(JSON.parse(String(change?.content))).toEqual({
    variables: { input: { text: 'Answers within a day', ephemeral_duration_sec: 0 } },
  });
  expect(harness.received.some(({ attrs }) => attrs.xmlns === 'status')).toBe(false);
});
