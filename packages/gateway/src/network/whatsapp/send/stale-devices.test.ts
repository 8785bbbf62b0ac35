import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, linkedBy, ME, online, textToAda, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

/** How often the devices of an address were queried. */
function asked({ received }: WireHarness, address: string): number {
  const questions = received.filter(({ attrs }) => attrs.xmlns === 'usync');
  return questions.filter((question) => {
    const usync = getBinaryNodeChild(question, 'usync');
    const users = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user');
    const wantsDevices = getBinaryNodeChild(getBinaryNodeChild(usync, 'query'), 'devices') !== undefined;
    return wantsDevices && users.some(({ attrs }) => attrs.jid === address);
  }).length;
}

/** Makes the network accept the message and report, by the hash of its own list, that there are other devices. */
const takenByOthers =
  (messageId: string) =>
  ({ tag, attrs: { id = '', to = '' } }: BinaryNode): BinaryNode | undefined =>
    tag === 'message' && id === messageId
      ? { tag: 'ack', attrs: { class: 'message', id, from: to, t: '1', phash: '2:AbCdEfGh' } }
      : undefined;

test('queries devices again before the next message when the network knows others', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  const hers = lidJid(harness.world.phones.get(ADA).lid);
  await session.send(textToAda('3EB0E1'));
  await session.send(textToAda('3EB0E2'));
  const before = asked(harness, hers);

  harness.intercept(takenByOthers('3EB0E3'));
  await session.send(textToAda('3EB0E3'));
  await vi.waitFor(() => expect(asked(harness, hers)).toBe(before + 1), WAIT);
  // The answer may still be on its way to the first of these, which queries as well then.
  await session.send(textToAda('3EB0E4'));
  const known = asked(harness, hers);
  await session.send(textToAda('3EB0E9'));
  expect(asked(harness, hers)).toBe(known);

  const { group } = harness.world.groups.create(
    { phone: ME, device: 0 },
    { name: 'Us', participants: [userJid(ADA)] },
  );
  const toGroup = (messageId: string) => session.send({ ...textToAda(messageId), to: group.jid });
  await toGroup('3EB0E5');
  await toGroup('3EB0E6');
  const inGroup = asked(harness, hers);
  harness.intercept(takenByOthers('3EB0E7'));
  await toGroup('3EB0E7');
  await vi.waitFor(() => expect(asked(harness, hers)).toBe(inGroup + 1), WAIT);
  await toGroup('3EB0E8');
  const knownInGroup = asked(harness, hers);
  await toGroup('3EB0EA');
  expect(asked(harness, hers)).toBe(knownInGroup);
});

/** The network as before any device was linked: phones only. */
function phonesAlone(stanza: BinaryNode): BinaryNode | undefined {
  const usync = getBinaryNodeChild(stanza, 'usync');
  if (!getBinaryNodeChild(getBinaryNodeChild(usync, 'query'), 'devices')) return undefined;
  const device = { tag: 'device', attrs: { id: '0' } };
  const lists = { tag: 'device-list', attrs: {}, content: [device] };
  const users = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user').map((user) => {
    const asked = getBinaryNodeChild(user, 'contact')?.content;
    const number = asked === undefined ? undefined : String(asked);
    const contact = { tag: 'contact', attrs: { type: 'in' }, ...(number ? { content: number } : {}) };
    return {
      tag: 'user',
      attrs: { jid: user.attrs.jid ?? userJid(number?.slice(1) ?? '') },
      content: [{ tag: 'devices', attrs: {}, content: [lists] }, ...(number ? [contact] : [])],
    };
  });
  return {
    tag: 'iq',
    attrs: { id: stanza.attrs.id ?? '', type: 'result', from: 's.whatsapp.net' },
    content: [{ tag: 'usync', attrs: {}, content: [{ tag: 'list', attrs: {}, content: users }] }],
  };
}

test('sends the message to a device that was not known, and to it alone, in a chat and in a group', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  const hers = await linkedBy(harness, ADA);
  const { group } = harness.world.groups.create(
    { phone: ME, device: 0 },
    { name: 'Us', participants: [userJid(ADA)] },
  );
  for (const to of [userJid(ADA), group.jid]) {
    const messageId = `3EB0F${to.length}`;
    harness.intercept(phonesAlone);
    await vi.waitFor(() => expect(hers.session.state.kind).toBe('connected'), WAIT);
    await session.send({ ...textToAda(messageId), to });
    harness.intercept(() => undefined);
    await vi.waitFor(
      () => expect(hers.events).toContainEqual(expect.objectContaining({ kind: 'message', messageId })),
      WAIT,
    );
    // Her phone had it already.
    expect(harness.world.phones.get(ADA).duplicatesDropped).toBe(0);
  }
});

test('sends a story to the number itself as well', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  await session.send({ messageId: '3EB0F9', content: { kind: 'status_text', text: 'At the lake' } });
  expect(harness.world.messages.find(ME, '3EB0F9')).toMatchObject({ content: { type: 'text' } });
});
