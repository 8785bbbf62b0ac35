import { proto, WAMessageStubType } from 'baileys';
import { processHistoryMessage } from 'baileys/lib/Utils/history.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HistoryContact, type HistoryToken, visitHistory } from './facts.ts';
import { MalformedMessage, walkMessage } from './walk.ts';

/** All facts of a history, read in pieces of these sizes. */
function read(bytes: Uint8Array, pieces: readonly number[] = [bytes.length]) {
  const mappings: { pn: string; lid: string }[] = [];
  const contacts: HistoryContact[] = [];
  const chats: string[] = [];
  const tokens: HistoryToken[] = [];
  const salts: Uint8Array[] = [];
  const walk = walkMessage(
    visitHistory({
      mapping: (pn, lid) => void mappings.push({ lid, pn }),
      contact: (contact) => void contacts.push(contact),
      chat: (person) => void chats.push(person),
      token: (token) => void tokens.push(token),
      salt: (salt) => void salts.push(salt),
    }),
  );
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = pieces[turn % pieces.length] ?? 1;
    walk.push(bytes.subarray(at, at + size));
    at += size;
  }
  walk.end();
  return { mappings, contacts, chats, tokens, salts };
}

const message = (id: string, rest: proto.IWebMessageInfo): proto.IHistorySyncMsg => ({
  message: { ...rest, key: { id, remoteJid: '15550002001@s.whatsapp.net', ...rest.key } },
});

const history: proto.IHistorySync = {
  syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
  conversations: [
    {
      id: '15550002001@s.whatsapp.net',
      name: 'Ada',
      lidJid: '1001@lid',
      tcToken: Buffer.from('trust'),
      tcTokenTimestamp: 1_790_000_000,
      tcTokenSenderTimestamp: 1_780_000_000,
      messages: [
        message('A', { message: { conversation: 'x'.repeat(5_000) }, messageTimestamp: 1 }),
        message('B', {
          messageStubType: WAMessageStubType.BIZ_PRIVACY_MODE_TO_BSP,
          messageStubParameters: ['Ada & Co.', 'more'],
        }),
      ],
    },
    { id: '1002@lid', displayName: 'Ben', name: 'ben', pnJid: '15550002002@s.whatsapp.net', messages: [] },
    {
      id: '1003@lid',
      username: 'cleo',
      messages: [
        message('C', { key: { fromMe: false }, userReceipt: [{ userJid: '15559999999@s.whatsapp.net' }] }),
        message('D', { key: { fromMe: true }, userReceipt: [{ userJid: '15550002003@s.whatsapp.net' }] }),
      ],
    },
    { id: '120363000000000001@g.us', name: 'A group', messages: [] },
    { id: '15550002004@s.whatsapp.net', tcToken: Buffer.from('undated'), messages: [] },
  ],
  pushnames: [{ id: '15550002005@s.whatsapp.net', pushname: 'Dan' }],
  phoneNumberToLidMappings: [
    { pnJid: '15550002006@s.whatsapp.net', lidJid: '1006@lid' },
    { pnJid: '15550002007@s.whatsapp.net' },
  ],
};
/** Field 19, which the library's schema lacks. */
const SALT = Buffer.alloc(32, 7);
const bytes = Buffer.concat([
  proto.HistorySync.encode(history).finish(),
  Buffer.from([0x9a, 0x01, SALT.length]),
  SALT,
]);

describe('a history', () => {
  test('yields the facts about people that the library would read, and the salt', () => {
    const { mappings, contacts, tokens, salts } = read(bytes);
    const whole = processHistoryMessage(proto.HistorySync.decode(bytes));
    const byPn = (a: { pn: string }, b: { pn: string }) => a.pn.localeCompare(b.pn);
    expect(mappings.toSorted(byPn)).toEqual(whole.lidPnMappings.toSorted(byPn));
    expect(mappings).toHaveLength(4);
    expect(contacts).toEqual([
      { id: '15550002001@s.whatsapp.net', verifiedName: 'Ada & Co.' },
      { id: '15550002001@s.whatsapp.net', name: 'Ada', lid: '1001@lid' },
      { id: '1002@lid', name: 'Ben', phoneNumber: '15550002002@s.whatsapp.net' },
      { id: '1003@lid', name: 'cleo' },
      { id: '15550002005@s.whatsapp.net', notify: 'Dan' },
    ]);
    for (const { id, name } of contacts.filter(({ name }) => name)) {
      expect(whole.contacts).toContainEqual(expect.objectContaining({ id, name }));
    }
    expect(tokens).toEqual([
      {
        from: '15550002001@s.whatsapp.net',
        token: new Uint8Array(Buffer.from('trust')),
        at: 1_790_000_000,
        givenAt: 1_780_000_000,
      },
    ]);
    expect(salts).toEqual([new Uint8Array(SALT)]);
  });

  test('yields the same facts wherever it is cut into pieces', () => {
    const whole = read(bytes);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 }), (pieces) => {
        expect(read(bytes, pieces)).toEqual(whole);
      }),
    );
    expect(read(bytes, [1])).toEqual(whole);
  });

  test('is rejected when it ends inside a field', () => {
    for (const size of [1, 10, bytes.length - 40, bytes.length - 1]) {
      expect(() => read(bytes.subarray(0, size))).toThrow(MalformedMessage);
    }
  });

  test('of random bytes is read to its end or rejected, with small values only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (noise, piece) => {
        try {
          const { contacts } = read(noise, [piece]);
          for (const { name = '' } of contacts) expect(name.length).toBeLessThanOrEqual(4_096);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessage);
        }
      }),
    );
  });

  test('yields no name that is too long', () => {
    const endless = proto.HistorySync.encode({
      syncType: 0,
      conversations: [{ id: '15550002001@s.whatsapp.net', name: 'x'.repeat(100_000) }],
    }).finish();
    expect(read(endless, [1_000]).contacts).toEqual([]);
  });
});
