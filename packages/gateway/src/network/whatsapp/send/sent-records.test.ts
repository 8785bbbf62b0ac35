import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import type { SessionContext } from '../session-context.ts';
import { createSentRecords } from './sent-records.ts';

const MINUTE = 60_000;

/** A link opened now, with the records of a previous owner. */
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
  // The records use no other part of a session.
  const records = createSentRecords(context as unknown as SessionContext);
  const outgoing = { to: '1556@s.whatsapp.net', message: proto.Message.create({ conversation: 'hi' }) };
  for (const id of left) void records.keep(id, outgoing);
  return { clock, looked, records, outgoing };
}

test('skips the lookup for a first attempt well after the link was opened', async () => {
  const { clock, looked, records } = openLink();
  clock.advance(11 * MINUTE);
  const fresh = { messageId: 'fresh', acceptedAt: clock.now() };
  expect(await records.findBefore(fresh)).toBeUndefined();
  expect(looked).toEqual([]);
});

test('finds a message that an earlier owner may have tried, whatever the clock skew', async () => {
  const { clock, records } = openLink(['early', 'soon', 'ahead', 'undated']);
  const opened = clock.now();
  clock.advance(60 * MINUTE);
  const found = (messageId: string, acceptedAt?: number) =>
    records.findBefore(acceptedAt === undefined ? { messageId } : { messageId, acceptedAt });
  expect(await found('early', opened - 1)).toBeDefined();
  expect(await found('soon', opened + 9 * MINUTE)).toBeDefined();
  expect(await found('ahead', clock.now() + MINUTE)).toBeDefined();
  expect(await found('undated')).toBeDefined();
});

test('finds a message on its second attempt here', async () => {
  const { clock, records, outgoing } = openLink();
  clock.advance(11 * MINUTE);
  const message = { messageId: 'again', acceptedAt: clock.now() };
  await records.findBefore(message);
  await records.keep('again', outgoing);
  expect((await records.findBefore(message))?.message.conversation).toBe('hi');
});
