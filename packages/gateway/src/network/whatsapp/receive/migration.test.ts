import { userJid } from '@parley/sandbox/world';
import { expect, test, vi } from 'vitest';
import {
  ADA,
  adaWrites,
  bubblesOfAda,
  connected,
  messageIds,
  online,
  textToAda,
  useWire,
  WAIT,
} from '../testing/people.ts';

const setUp = useWire();
const ada = { phone: ADA, device: 0 };

test('keeps a conversation whole while the network moves a person from the number to the hidden address', async () => {
  const harness = await setUp();
  const { world } = harness;
  world.phones.update(ada, { addressing: 'pn' });
  let me = await online(harness);
  adaWrites(harness, '3EB0M1');
  await vi.waitFor(() => expect(messageIds(me)).toContain('3EB0M1'), WAIT);
  await me.session.send(textToAda('3EB0M2'));
  adaWrites(harness, '3EB0M3');
  await vi.waitFor(() => expect(messageIds(me)).toContain('3EB0M3'), WAIT);

  // Under way in both directions while the account is migrated.
  await me.session.close();
  adaWrites(harness, '3EB0M4');
  world.phones.update(ada, { addressing: 'lid' });
  adaWrites(harness, '3EB0M5');
  me = await connected(harness, 2);
  const sending = me.session.send(textToAda('3EB0M6'));
  adaWrites(harness, '3EB0M7');
  await sending;
  await me.session.send(textToAda('3EB0M8'));
  adaWrites(harness, '3EB0M9');
  await vi.waitFor(
    () => expect(messageIds(me)).toEqual(expect.arrayContaining(['3EB0M4', '3EB0M5', '3EB0M7', '3EB0M9'])),
    WAIT,
  );
  const chats = me.events.flatMap((event) => (event.kind === 'message' ? [event.chat] : []));
  expect(new Set(chats)).toEqual(new Set([userJid(ADA)]));
  for (const id of ['3EB0M2', '3EB0M6', '3EB0M8']) {
    await vi.waitFor(() => expect(bubblesOfAda(harness, id)).toBe(1), WAIT);
    expect(world.messages.find(ADA, id)?.content).toMatchObject({ type: 'text', text: 'Hello' });
  }
  expect(messageIds(me).toSorted()).toEqual([...new Set(messageIds(me))].toSorted());
  expect(world.awaited.by(ADA)).toBe(0);
  expect(harness.received.filter(({ tag, attrs }) => tag === 'receipt' && attrs.type === 'retry')).toEqual(
    [],
  );
  // One ratchet is left, under the hidden address.
  const rows = await harness.store.read
    .selectFrom('network_records')
    .select(['id'])
    .where('kind', '=', 'session')
    .execute();
  const hidden = world.phones.get(ADA).lid;
  const hers = rows.flatMap(({ id }) =>
    id.startsWith(hidden) || id.startsWith(ADA) ? [id.split('_')[0]] : [],
  );
  expect(hers).toEqual([hidden]);
});
