import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { createEventReader } from './event-reader.ts';

const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };
const ADA = '15550002001@s.whatsapp.net';

/** Knows the number behind 77, and of nobody else. */
const kept = new Map<string, unknown>([
  ['lid-mapping/77_reverse', '15550002001'],
  ['lid-mapping/15550002001', '77'],
]);
const name = (kind: string, id: string): string => `${kind}/${id}`;
const read = createEventReader({
  vault: {
    read: async (kind, ids) =>
      new Map(
        ids.flatMap((id) => (kept.has(name(kind, id)) ? [[id, kept.get(name(kind, id))] as const] : [])),
      ),
    async commit({ puts = [], deletes = [] }) {
      for (const { kind, id } of deletes) kept.delete(name(kind, id));
      for (const { kind, id, value } of puts) kept.set(name(kind, id), value);
    },
  },
  me: () => me,
  onSender() {},
});

async function told(attrs: Record<string, string>) {
  const plaintext = Buffer.concat([proto.Message.encode({ conversation: 'hi' }).finish(), Buffer.of(1)]);
  const [event] = await read({ kind: 'message', attrs: { id: 'M', t: '1', ...attrs }, plaintext });
  return event?.kind === 'message' ? event : undefined;
}

test('a direct chat is named by the number that is known, though the network hides it this time', async () => {
  const open = await told({ from: '77@lid', sender_pn: ADA });
  const hidden = await told({ from: '77@lid' });
  for (const event of [open, hidden])
    expect(event).toMatchObject({ chat: ADA, sender: ADA, senderPhone: ADA, senderLid: '77@lid' });
});

test('so is the chat in which the number itself wrote elsewhere', async () => {
  const own = await told({ from: '100@lid', recipient: '77@lid' });
  expect(own).toMatchObject({ fromMe: true, chat: ADA, sender: '15550001001@s.whatsapp.net' });
});

test('who is not known keeps the hidden address, and members of groups keep theirs', async () => {
  const stranger = await told({ from: '78@lid' });
  expect(stranger).toMatchObject({ chat: '78@lid', sender: '78@lid', senderLid: '78@lid' });
  expect(stranger).not.toHaveProperty('senderPhone');
  const member = await told({ from: '123@g.us', participant: '77@lid' });
  expect(member).toMatchObject({ chat: '123@g.us', sender: '77@lid' });
});

test('who was told by the hidden address goes by it for good, with the number beside it once that is known', async () => {
  const BEN = '15550002002@s.whatsapp.net';
  await told({ from: '80@lid' });
  kept.set('lid-mapping/80_reverse', '15550002002');
  kept.set('lid-mapping/15550002002', '80');

  const stable = { chat: '80@lid', sender: '80@lid', senderPhone: BEN };
  expect(await told({ from: '80@lid' })).toMatchObject(stable);
  expect(await told({ from: '80@lid', sender_pn: BEN })).toMatchObject(stable);
  expect(await told({ from: BEN, sender_lid: '80@lid' })).toMatchObject(stable);
  expect(await told({ from: BEN })).toMatchObject(stable);
  expect(await told({ from: '100@lid', recipient: BEN })).toMatchObject({ fromMe: true, chat: '80@lid' });
  expect(await told({ from: 'status@broadcast', participant: '80@lid', participant_pn: BEN })).toMatchObject({
    broadcast: true,
    sender: '80@lid',
  });
});

test('a username that was told once is known from then on, until somebody else has it', async () => {
  const usernameOf = async (attrs: Record<string, string>) => (await told(attrs))?.senderUsername;
  expect(await usernameOf({ from: '81@lid' })).toBeUndefined();
  expect(await usernameOf({ from: '81@lid', username: 'cleo' })).toBe('cleo');
  expect(await usernameOf({ from: '81@lid' })).toBe('cleo');
  expect(await usernameOf({ from: '123@g.us', participant: '81@lid' })).toBe('cleo');
  expect(await usernameOf({ from: '123@g.us', participant: '82@lid', participant_username: 'Cleo' })).toBe(
    'Cleo',
  );
  expect(await usernameOf({ from: '81@lid' })).toBeUndefined();
  expect(await usernameOf({ from: '81@lid', username: 'no such name!' })).toBeUndefined();
});
