import { BufferJSON, initAuthCreds } from 'baileys';
import { expect, test } from 'vitest';
import { readForeignLink } from './adopt.ts';

const me = { id: '15550001001:7@s.whatsapp.net', lid: '245100123456789:7@lid', name: 'Shop' };
const linked = { ...initAuthCreds(), me, account: { details: Buffer.from('signed by the phone') } };
const written = (value: object): string => JSON.stringify(value, BufferJSON.replacer);

test.each([written(linked), JSON.stringify(written(linked))])(
  'reads a link from its text, also when it is encoded twice',
  (text) => {
    const read = readForeignLink(text);
    expect(read).toMatchObject({ phone: '15550001001', sessionId: me.id, lid: '245100123456789@lid' });
    expect(Buffer.from(read?.creds.noiseKey.private ?? [])).toEqual(Buffer.from(linked.noiseKey.private));
  },
);

test.each([
  ['nothing', ''],
  ['no JSON', 'creds'],
  ['another value', '7'],
  ['the text of no JSON', '"creds"'],
  ['a number that was never linked', written(initAuthCreds())],
  ['a link without its keys', written({ me, account: {} })],
  ['a link of no device', written({ ...linked, me: { id: '15550001001@s.whatsapp.net' } })],
])('refuses %s as a link', (_what, text) => {
  expect(readForeignLink(text)).toBeUndefined();
});
