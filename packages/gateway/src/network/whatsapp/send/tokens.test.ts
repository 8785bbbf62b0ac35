import { createHmac } from 'node:crypto';
import { lidJid, userJid } from '@parley/sandbox/world';
import { getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { WireHarness } from '../testing/fixture.ts';
import {
  ADA,
  adaWrites,
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
const BEN = '15550002002';

/** How often each person was given a token. */
function issued({ received }: WireHarness): Record<string, number> {
  const tokens = received.flatMap((stanza) =>
    getBinaryNodeChildren(getBinaryNodeChild(stanza, 'tokens'), 'token'),
  );
  return Object.fromEntries(
    Map.groupBy(tokens, ({ attrs }) => attrs.jid ?? '')
      .entries()
      .map(([jid, all]) => [jid, all.length]),
  );
}

async function recordsOf({ store }: WireHarness, kind: string): Promise<number> {
  const rows = await store.read.selectFrom('network_records').select('id').where('kind', '=', kind).execute();
  return rows.length;
}

test('gives a contact a token once a week, not with every message', async () => {
  const harness = await setUp();
  harness.world.phones.create(BEN, { name: 'Ben' });
  const before = await online(harness);
  for (const id of ['1', '2', '3', '4', '5']) {
    await before.session.send(textToAda(`3EB0A${id}`));
    await before.session.send({ ...textToAda(`3EB0B${id}`), to: userJid(BEN) });
  }
  await vi.waitFor(() => expect(Object.values(issued(harness))).toEqual([1, 1]), WAIT);
  // Ada's, Ben's and the list of both.
  await vi.waitFor(async () => expect(await recordsOf(harness, 'tctoken')).toBe(3), WAIT);
  await before.session.close();
  await harness.crash();

  const after = await connected(harness, 2);
  for (const id of ['6', '7']) await after.session.send(textToAda(`3EB0A${id}`));
  // Anything they would have caused was sent before the answer to this.
  await after.session.probe();

  expect(Object.values(issued(harness))).toEqual([1, 1]);
});

test('adds a substitute token to a message to a person who has never written', async () => {
  const harness = await setUp();
  const me = await online(harness);
  const tokensOf = (messageId: string) => {
    const stanza = harness.received.find(({ tag, attrs }) => tag === 'message' && attrs.id === messageId);
    return ['tctoken', 'cstoken'].map((tag) => getBinaryNodeChild(stanza, tag)?.content);
  };
  // The salt is part of the phone's shared state for a new linked device.
  await vi.waitFor(async () => expect(await recordsOf(harness, 'first-contact-salt')).toBe(1), WAIT);
  await me.session.send(textToAda('3EB0C1'));

  const { lid } = harness.world.phones.get(ADA);
  const salt = harness.world.tokens.nctSalt(ME);
  const expected = createHmac('sha256', salt).update(lidJid(lid)).digest();
  expect(tokensOf('3EB0C1')).toEqual([undefined, expected]);

  // Ada gives her token with her first message.
  adaWrites(harness, 'HERS');
  await vi.waitFor(() => expect(messageIds(me)).toEqual(['HERS']), WAIT);
  await vi.waitFor(async () => {
    const [theirs, ours] = tokensOf(await sentTo(me));
    expect([theirs instanceof Uint8Array, ours]).toEqual([true, undefined]);
  }, WAIT);
});

let count = 0;
async function sentTo({ session }: Opened): Promise<string> {
  count += 1;
  await session.send(textToAda(`3EB0D${count}`));
  return `3EB0D${count}`;
}
