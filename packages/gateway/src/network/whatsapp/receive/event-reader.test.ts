import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { createEventReader } from './event-reader.ts';

const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };
const ADA = '15550002001@s.whatsapp.net';

/** Knows the number behind 77, and of nobody else. */
const read = createEventReader({
  vault: {
    read: async (_kind, ids) => new Map(ids.includes('77_reverse') ? [['77_reverse', '15550002001']] : []),
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
