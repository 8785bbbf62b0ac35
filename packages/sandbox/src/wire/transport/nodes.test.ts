import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeNode, encodeNode, node } from './nodes.ts';

describe('stanzas as bytes', () => {
  it('have this form for a ping: flags, list of 8, dictionary tokens, a packed id', () => {
    const ping = node('iq', { id: '12.34-5', xmlns: 'w:p', type: 'get' }, [node('ping')]);
    expect(encodeNode(ping).toString('hex')).toBe(
      [
        '00', // not compressed
        'f808', // list of 8: the tag, three attributes, the content
        '19', // iq
        '08ff8412b34a5f', // id, in nibbles: '.' is b, '-' is a, f fills up an odd length
        '1657', // xmlns w:p
        '0429', // type get
        'f801f80156', // list of one child, a list of one: ping
      ].join(''),
    );
  });

  it('distinguish the addresses of a device by number and by LID', () => {
    const to = (jid: string) => encodeNode(node('a', { to: jid })).toString('hex');
    // 0xf7: address with device; domain, device, then the packed user
    expect(to('1555:3@s.whatsapp.net')).toContain('f70003ff021555');
    expect(to('1555:3@lid')).toContain('f70103ff021555');
    // 0xfa: user and server
    expect(to('1555@s.whatsapp.net')).toContain('faff021555');
  });

  it('decode to the same stanza', async () => {
    const stanza = node('message', { to: '1:2@lid', n: 7, none: undefined }, [
      node('enc', {}, Buffer.of(1, 2, 3)),
    ]);
    const decoded = await decodeNode(encodeNode(stanza));
    expect(decoded.attrs).toEqual({ to: '1:2@lid', n: '7' });
  });

  it('are refused when compressed, empty or cut short', async () => {
    const whole = encodeNode(node('iq', { id: '1' }, [node('ping')]));
    const compressed = Buffer.concat([Buffer.of(2), deflateSync(whole.subarray(1))]);
    await expect(decodeNode(compressed)).rejects.toThrow();
    await expect(decodeNode(Buffer.alloc(0))).rejects.toThrow();
    await expect(decodeNode(whole.subarray(0, whole.length - 2))).rejects.toThrow();
  });
});
