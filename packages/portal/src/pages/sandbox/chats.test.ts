import { describe, expect, it } from 'vitest';
import { chatsOf, createNames, previewOf, progressOf } from './chats.ts';
import type { Message, PhoneDetail } from './network.ts';

const jid = (phone: string) => `${phone}@s.whatsapp.net`;
const summary = (phone: string, name: string, lid: string) => ({
  phone,
  jid: jid(phone),
  lid,
  name,
  online: true,
});
const ada = summary('15550002001', 'Ada', '1@lid');
const ben = summary('15550002002', 'Ben', '2@lid');

const phone: PhoneDetail = {
  ...ada,
  duplicates_dropped: 0,
  banned_until_unix: 0,
  locked: false,
  restriction: null,
  new_chats: null,
  linked_devices: [],
  contacts: [{ jid: ben.jid, full_name: 'Ben Franklin' }],
  groups: [{ jid: '9@g.us', name: 'Tea club' }],
  channels: [{ jid: '8@newsletter', name: 'Harbour news', role: 'follower' }],
  typing: [],
  calls: [],
};
const names = createNames(phone, [ada, ben]);

const message = (fields: Partial<Message>): Message => ({
  message_id: 'M',
  chat_jid: ben.jid,
  sender_jid: ben.jid,
  from_me: false,
  is_group: false,
  type: 'text',
  text: 'hello',
  timestamp_unix: 1,
  receipts: [{ jid: ada.jid, type: 'delivered' }],
  edited: false,
  revoked: false,
  reactions: [],
  ...fields,
});

describe('the chats of a phone', () => {
  it('lists those with messages first, newest on top, then all other contacts by name', () => {
    const messages = [message({ timestamp_unix: 1 }), message({ chat_jid: '9@g.us', timestamp_unix: 5 })];
    expect(chatsOf(phone, messages, names).map(({ name }) => name)).toEqual([
      'Tea club',
      'Ben Franklin',
      'Harbour news',
      'Stories',
    ]);
  });

  it('joins both addresses of a person into one chat', () => {
    const messages = [message({}), message({ chat_jid: ben.lid })];
    const chats = chatsOf(phone, messages, names).filter(({ kind }) => kind === 'person');
    expect(chats).toMatchObject([{ jid: ben.jid, messages }]);
  });

  it('counts unread incoming messages', () => {
    const read = message({ receipts: [{ jid: ada.jid, type: 'read' }] });
    const fresh = message({});
    const own = message({ from_me: true, receipts: [] });
    const [chat] = chatsOf(phone, [read, fresh, own], names);
    expect(chat?.unread).toEqual([fresh]);
  });

  it('lets only the owner write in a channel', () => {
    const channel = chatsOf(phone, [], names).find(({ kind }) => kind === 'channel');
    expect(channel?.mayWrite).toBe(false);
  });
});

describe('the name of a person', () => {
  it('is the one in the contacts, else their own, else the number', () => {
    expect(names.nameOf(ben.lid)).toBe('Ben Franklin');
    expect(createNames({ ...phone, contacts: [] }, [ada, ben]).nameOf(ben.jid)).toBe('Ben');
    expect(names.nameOf(jid('15550003001'))).toBe('+1 555 000 3001');
  });
});

describe('a message of one’s own', () => {
  it('is read once all recipients have read it', () => {
    const delivered = { jid: ben.jid, type: 'delivered' } as const;
    const read = { jid: ben.jid, type: 'read' } as const;
    expect(progressOf({ receipts: [] })).toBe('sent');
    expect(progressOf({ receipts: [delivered] })).toBe('delivered');
    expect(progressOf({ receipts: [delivered, read] })).toBe('read');
    expect(progressOf({ receipts: [read, { jid: ada.jid, type: 'delivered' }] })).toBe('delivered');
  });
});

it('summarizes a message by its type, without deleted contents', () => {
  expect(previewOf(message({ type: 'image', text: '' }))).toBe('Image');
  expect(previewOf(message({ revoked: true }))).toBe('This message was deleted');
  expect(previewOf(message({ type: 'waiting', text: '' }))).toMatch(/^Waiting for this message/);
});
