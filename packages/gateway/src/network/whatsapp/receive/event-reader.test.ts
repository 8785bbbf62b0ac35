import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { createEventReader } from './event-reader.ts';

const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };
const ADA = '15550002001@s.whatsapp.net';

/** Knows the number of 77 and no other. */
const kept = new Map<string, unknown>([
  ['lid-mapping/77_reverse', '15550002001'],
  ['lid-mapping/15550002001', '77'],
]);
const name = (kind: string, id: string): string => `${kind}/${id}`;
const unread: string[] = [];
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
  log: { warn() {} },
  onSender() {},
  onAnswer() {},
  onUnreadUpdate: (kind) => void unread.push(kind),
});

async function eventOf(attrs: Record<string, string>) {
  const plaintext = Buffer.concat([proto.Message.encode({ conversation: 'hi' }).finish(), Buffer.of(1)]);
  const made = await read({ kind: 'message', attrs: { id: 'M', t: '1', ...attrs }, plaintext }, false);
  const [event] = made === 'later' ? [] : made;
  return event?.kind === 'message' ? event : undefined;
}

test('names a direct chat by the known number, though the network hides it this time', async () => {
  const open = await eventOf({ from: '77@lid', sender_pn: ADA });
  const hidden = await eventOf({ from: '77@lid' });
  for (const event of [open, hidden])
    expect(event).toMatchObject({ chat: ADA, sender: ADA, senderPhone: ADA, senderLid: '77@lid' });
});

test('does the same for a chat in which another own device wrote', async () => {
  const own = await eventOf({ from: '100@lid', recipient: '77@lid' });
  expect(own).toMatchObject({ fromMe: true, chat: ADA, sender: '15550001001@s.whatsapp.net' });
});

test('keeps the hidden address of unknown people and of group members', async () => {
  const stranger = await eventOf({ from: '78@lid' });
  expect(stranger).toMatchObject({ chat: '78@lid', sender: '78@lid', senderLid: '78@lid' });
  expect(stranger).not.toHaveProperty('senderPhone');
  const member = await eventOf({ from: '123@g.us', participant: '77@lid' });
  expect(member).toMatchObject({ chat: '123@g.us', sender: '77@lid' });
});

test('keeps the hidden address as the name of a published chat, and adds the number once it is known', async () => {
  const BEN = '15550002002@s.whatsapp.net';
  await eventOf({ from: '80@lid' });
  kept.set('lid-mapping/80_reverse', '15550002002');
  kept.set('lid-mapping/15550002002', '80');

  const stable = { chat: '80@lid', sender: '80@lid', senderPhone: BEN };
  expect(await eventOf({ from: '80@lid' })).toMatchObject(stable);
  expect(await eventOf({ from: '80@lid', sender_pn: BEN })).toMatchObject(stable);
  expect(await eventOf({ from: BEN, sender_lid: '80@lid' })).toMatchObject(stable);
  expect(await eventOf({ from: BEN })).toMatchObject(stable);
  expect(await eventOf({ from: '100@lid', recipient: BEN })).toMatchObject({ fromMe: true, chat: '80@lid' });
  expect(
    await eventOf({ from: 'status@broadcast', participant: '80@lid', participant_pn: BEN }),
  ).toMatchObject({
    broadcast: true,
    sender: '80@lid',
  });
});

test('remembers a username until another person takes it', async () => {
  const usernameOf = async (attrs: Record<string, string>) => (await eventOf(attrs))?.senderUsername;
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

test('counts an update whose message is unknown, by its kind', async () => {
  const { MESSAGE_EDIT: secretEncType } = proto.Message.SecretEncryptedMessage.SecretEncType;
  const sealed = { encIv: Buffer.alloc(12), encPayload: Buffer.alloc(32), secretEncType };
  const edit = { secretEncryptedMessage: { targetMessageKey: { remoteJid: ADA, id: 'X' }, ...sealed } };
  const plaintext = Buffer.concat([proto.Message.encode(edit).finish(), Buffer.of(1)]);
  const entry = { kind: 'message', attrs: { id: 'U', t: '1', from: ADA }, plaintext } as const;
  expect(await read(entry, true)).toBe('later');
  expect(unread).toEqual([]);
  expect(await read(entry, false)).toMatchObject([{ content: { unreadable: { update: 'edit' } } }]);
  expect(unread).toEqual(['edit']);
});
