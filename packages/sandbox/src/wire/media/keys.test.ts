import { createCipheriv, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptMedia, encryptMedia } from './keys.ts';

const mediaKey = Buffer.alloc(32, 7);
const file = Buffer.from('a file of some bytes');

/** RFC 5869 without salt, written out. */
function expand(info: string): Buffer {
  const key = createHmac('sha256', Buffer.alloc(32)).update(mediaKey).digest();
  const blocks: Buffer[] = [];
  for (let n = 1; n <= 4; n += 1) {
    blocks.push(
      createHmac('sha256', key)
        .update(blocks.at(-1) ?? Buffer.alloc(0))
        .update(info)
        .update(Buffer.of(n))
        .digest(),
    );
  }
  return Buffer.concat(blocks).subarray(0, 112);
}

function expected(info: string): Buffer {
  const keys = expand(info);
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), keys.subarray(0, 16));
  const ciphertext = Buffer.concat([cipher.update(file), cipher.final()]);
  const mac = createHmac('sha256', keys.subarray(48, 80))
    .update(Buffer.concat([keys.subarray(0, 16), ciphertext]))
    .digest();
  return Buffer.concat([ciphertext, mac.subarray(0, 10)]);
}

describe('an encrypted file', () => {
  it.each([
    ['image', 'WhatsApp Image Keys'],
    ['sticker', 'WhatsApp Image Keys'],
    ['video', 'WhatsApp Video Keys'],
    ['audio', 'WhatsApp Audio Keys'],
    ['document', 'WhatsApp Document Keys'],
  ] as const)('of kind %s has keys of its own', (kind, info) => {
    expect(encryptMedia(file, mediaKey, kind)).toEqual(expected(info));
    expect(decryptMedia(expected(info), mediaKey, kind)).toEqual(file);
  });

  it('does not decrypt with another key, as another kind, or after a change', () => {
    const sealed = encryptMedia(file, mediaKey, 'image');
    expect(decryptMedia(sealed, Buffer.alloc(32, 8), 'image')).toBeUndefined();
    expect(decryptMedia(sealed, mediaKey, 'video')).toBeUndefined();
    for (let position = 0; position < sealed.length; position += 1) {
      const altered = Buffer.from(sealed);
      altered[position] = (altered[position] ?? 0) ^ 1;
      expect(decryptMedia(altered, mediaKey, 'image')).toBeUndefined();
    }
    expect(decryptMedia(Buffer.alloc(3), mediaKey, 'image')).toBeUndefined();
  });
});
