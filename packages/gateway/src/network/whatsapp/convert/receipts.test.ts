import { expect, test } from 'vitest';
import { readReceipts } from './index.ts';

const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };

const receipt = (attrs: Record<string, string>, ids: string[] = []) =>
  readReceipts(
    {
      tag: 'receipt',
      attrs: { id: 'R', from: '15550002001@s.whatsapp.net', t: '5', ...attrs },
      content: [{ tag: 'list', attrs: {}, content: ids.map((id) => ({ tag: 'item', attrs: { id } })) }],
    },
    me,
    async (jid, other) => other ?? (jid === '77@lid' ? '15550002001@s.whatsapp.net' : jid),
  );

test('separates receipts by type, one per message', async () => {
  expect((await receipt({})).map(({ type }) => type)).toEqual(['delivered']);
  expect((await receipt({ type: 'inactive' })).map(({ type }) => type)).toEqual(['delivered']);
  expect((await receipt({ type: 'played' })).map(({ type }) => type)).toEqual(['played']);
  expect((await receipt({ type: 'read' }, ['S', 'T'])).map(({ messageId }) => messageId)).toEqual([
    'R',
    'S',
    'T',
  ]);
});

test('ignores receipts without a recipient', async () => {
  const silent: Record<string, string>[] = [
    { type: 'retry' },
    { type: 'sender' },
    { type: 'read-self' },
    { from: me.id },
    { from: '100@lid' },
  ];
  for (const attrs of silent) expect(await receipt(attrs)).toEqual([]);
});

test('names a direct recipient by the number, and a group member as the group does', async () => {
  expect((await receipt({ from: '77@lid' }))[0]?.recipient).toBe('15550002001@s.whatsapp.net');
  expect((await receipt({ from: '123@g.us', participant: '77@lid' }))[0]?.recipient).toBe('77@lid');
});

test('makes the same event of a receipt of an inactive device and of an active one', async () => {
  const [active] = await receipt({});
  const [inactive] = await receipt({ type: 'inactive' });
  expect(inactive).toEqual(active);
});

test('names the sender of a receipt from a hidden address by the number that comes with it', async () => {
  const sender_pn = '15550002009@s.whatsapp.net';
  expect((await receipt({ from: '79@lid', sender_pn }))[0]?.recipient).toBe(sender_pn);
});

test('makes one event per member and message of a receipt for many members', async () => {
  const user = (jid: string, t: string) => ({ tag: 'user', attrs: { jid, t } });
  const events = await readReceipts(
    {
      tag: 'receipt',
      attrs: { from: '123@g.us', id: 'G', type: 'read', t: '5' },
      content: [
        { tag: 'participants', attrs: { key: 'A' }, content: [user('77@lid', '6'), user('78:3@lid', '7')] },
        { tag: 'participants', attrs: { key: 'B' }, content: [user('77@lid', '8'), user(me.id, '9')] },
      ],
    },
    me,
    async (jid) => jid,
  );
  expect(events.map(({ messageId, recipient, timestamp }) => [messageId, recipient, timestamp])).toEqual([
    ['A', '77@lid', 6],
    ['A', '78@lid', 7],
    ['B', '77@lid', 8],
  ]);
  expect(events[0]).toMatchObject({ type: 'read', group: '123@g.us' });
});
