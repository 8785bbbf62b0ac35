import { lidJid, userJid } from '@parley/sandbox/world';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { expect, test } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, ME, online, textToAda, useWire } from '../testing/people.ts';

const setUp = useWire();

/** How often the devices of an address were asked for. */
function asked({ heard }: WireHarness, address: string): number {
  const questions = heard.filter(({ attrs }) => attrs.xmlns === 'usync');
  return questions.filter((question) => {
    const usync = getBinaryNodeChild(question, 'usync');
    const users = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user');
    const wantsDevices = getBinaryNodeChild(getBinaryNodeChild(usync, 'query'), 'devices') !== undefined;
    return wantsDevices && users.some(({ attrs }) => attrs.jid === address);
  }).length;
}

/** The network takes the message, and says by the hash of its own list that there are other devices. */
const takenByOthers =
  (messageId: string) =>
  ({ tag, attrs: { id = '', to = '' } }: BinaryNode): BinaryNode | undefined =>
    tag === 'message' && id === messageId
      ? { tag: 'ack', attrs: { class: 'message', id, from: to, t: '1', phash: '2:AbCdEfGh' } }
      : undefined;

test('devices that the network knows better are asked for anew before the next message', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  const hers = lidJid(harness.world.phones.get(ADA).lid);
  await session.send(textToAda('3EB0E1'));
  await session.send(textToAda('3EB0E2'));
  const before = asked(harness, hers);
  expect(before).toBeGreaterThan(0);

  harness.intercept(takenByOthers('3EB0E3'));
  await session.send(textToAda('3EB0E3'));
  expect(asked(harness, hers)).toBe(before);
  await session.send(textToAda('3EB0E4'));
  expect(asked(harness, hers)).toBe(before + 1);

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
  await toGroup('3EB0E8');
  expect(asked(harness, hers)).toBe(inGroup + 1);
});
