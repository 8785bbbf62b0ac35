import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import type { SessionContext } from '../session-context.ts';
import { createSentRecords } from './sent-records.ts';

const MINUTE = 60_000;

/** A link that was opened now, with what an owner before has kept. */
function openLink(left: readonly string[] = []) {
  const clock = createSteppedClock();
  const kept = new Map<string, unknown>();
  const looked: string[] = [];
  const vault = {
    openedAt: clock.now(),
    async read(_kind: string, ids: readonly string[]) {
      looked.push(...ids);
      return new Map(ids.flatMap((id) => (kept.has(id) ? [[id, kept.get(id)]] : [])));
    },
    async commitAhead({ puts }: { puts: readonly { id: string; value: unknown }[] }) {
      for (const { id, value } of puts) kept.set(id, value);
    },
  };
  const context = { clock, vault: () => vault, me: () => ({ id: '1555@s.whatsapp.net' }) };
  // The records need no more of a vault than this.
  const records = createSentRecords(context as unknown as SessionContext);
  const outgoing = { to: '1556@s.whatsapp.net', message: proto.Message.create({ conversation: 'hi' }) };
  for (const id of left) void records.keep(id, outgoing);
  return { clock, looked, records, outgoing };
}

test('a message that came long after its link was opened is not looked for at its first attempt', async () => {
  const { clock, looked, records } = openLink();
  clock.advance(11 * MINUTE);
  const fresh = { messageId: 'fresh', acceptedAt: clock.now() };
  expect(await records.findBefore(fresh)).toBeUndefined();
  expect(looked).toEqual([]);
});

test('one that somebody may have tried before is found, whatever the clocks say', async () => {
  const { clock, records } = openLink(['early', 'soon', 'ahead', 'untold']);
  const opened = clock.now();
  clock.advance(60 * MINUTE);
  const found = (messageId: string, acceptedAt?: number) =>
    records.findBefore(acceptedAt === undefined ? { messageId } : { messageId, acceptedAt });
  expect(await found('early', opened - 1)).toBeDefined();
  expect(await found('soon', opened + 9 * MINUTE)).toBeDefined();
  expect(await found('ahead', clock.now() + MINUTE)).toBeDefined();
  expect(await found('untold')).toBeDefined();
});

test('one that was tried here is found at its next attempt', async () => {
  const { clock, records, outgoing } = openLink();
  clock.advance(11 * MINUTE);
  const message = { messageId: 'again', acceptedAt: clock.now() };
  await records.findBefore(message);
  await records.keep('again', outgoing);
  expect((await records.findBefore(message))?.message.conversation).toBe('hi');
});
