import { userJid } from '@parley/sandbox/world';
import { getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import { connected, online, textToAda, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();
const BEN = '15550002002';

/** How often each person was given a token. */
function issued({ heard }: WireHarness): Record<string, number> {
  const tokens = heard.flatMap((stanza) =>
    getBinaryNodeChildren(getBinaryNodeChild(stanza, 'tokens'), 'token'),
  );
  return Object.fromEntries(
    Map.groupBy(tokens, ({ attrs }) => attrs.jid ?? '')
      .entries()
      .map(([jid, all]) => [jid, all.length]),
  );
}

async function tokensKept({ store }: WireHarness): Promise<number> {
  const rows = await store.read
    .selectFrom('network_records')
    .select('id')
    .where('kind', '=', 'tctoken')
    .execute();
  return rows.length;
}

test('a contact is given a token of trust once a week, not with every message', async () => {
  const harness = await setUp();
  harness.world.phones.create(BEN, { name: 'Ben' });
  const before = await online(harness);
  for (const id of ['1', '2', '3', '4', '5']) {
    await before.session.send(textToAda(`3EB0A${id}`));
    await before.session.send({ ...textToAda(`3EB0B${id}`), to: userJid(BEN) });
  }
  await vi.waitFor(() => expect(Object.values(issued(harness))).toEqual([1, 1]), WAIT);
  // Ada's, Ben's and the list of both.
  await vi.waitFor(async () => expect(await tokensKept(harness)).toBe(3), WAIT);
  await before.session.close();
  await harness.crash();

  const after = await connected(harness, 2);
  for (const id of ['6', '7']) await after.session.send(textToAda(`3EB0A${id}`));
  // Whatever they would have brought about has been said before the answer to this.
  await after.session.probe();

  expect(Object.values(issued(harness))).toEqual([1, 1]);
});
