import { describe, expect, it } from 'vitest';
import { codecOf } from './codec.ts';
import { DOUBLE_BYTE_WORDS, SINGLE_BYTE_WORDS } from './dictionary-2.ts';
import { type Node, node } from './nodes.ts';

/** Encoded by a client of that dictionary (Baileys 6.7.18). */
const OLDER: readonly [string, Node, string][] = [
  [
    'a ping',
    node('iq', { id: '12.34-5', xmlns: 'w:p', type: 'get' }, [node('ping')]),
    '00f8081e08ff8412b34a5f195f0431f801f80150',
  ],
  ['a refusal', node('failure', { reason: 405 }), '00f803fc076661696c757265ec07ef96'],
  [
    'a message',
    node('message', { id: '3EB0AB', to: '15550002002@s.whatsapp.net', type: 'text' }, [
      node('participants', {}, [
        node('to', { jid: '15550002002:3@s.whatsapp.net' }, [
          node('enc', { v: 2, type: 'pkmsg' }, Buffer.of(1, 2, 3)),
        ]),
      ]),
    ]),
    '00f8080b08fb033eb0ab0efaff8615550002002f030426f801f8021bf801f8040e0ff70003ff8615550002002ff801f8061636330460fc03010203',
  ],
];

describe('dictionary 2', () => {
  it.each(OLDER)('writes and reads %s', async (_what, stanza, hex) => {
    const { encode, decode } = codecOf(2);
    expect(encode(stanza).toString('hex')).toBe(hex);
    expect(await decode(Buffer.from(hex, 'hex'))).toEqual(stanza);
  });

  it('has all of its entries', () => {
    expect([SINGLE_BYTE_WORDS, ...DOUBLE_BYTE_WORDS].map(({ length }) => length)).toEqual([
      236, 256, 256, 256, 256,
    ]);
  });

  it('differs from that of other clients', async () => {
    const ping = OLDER[0]?.[1] ?? node('iq');
    const misread = codecOf(3).decode(codecOf(2).encode(ping));
    expect(await misread.then(({ tag }) => tag).catch(() => 'nothing')).not.toBe('iq');
  });

  it('refuses compressed or empty input', async () => {
    const { decode } = codecOf(2);
    await expect(decode(Buffer.of(2, 1, 1))).rejects.toThrow();
    await expect(decode(Buffer.alloc(0))).rejects.toThrow();
  });
});
