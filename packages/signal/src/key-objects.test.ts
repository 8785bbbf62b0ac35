import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { slowKeyed, takeKeysAsObjects } from './key-objects.ts';

beforeAll(takeKeysAsObjects);

const bytes = fc.uint8Array({ maxLength: 200 });

it('hashes as before, with a key of any length and form', () => {
  fc.assert(
    fc.property(bytes, bytes, (key, data) => {
      const before = slowKeyed.createHmac('sha256', key).update(data).digest('hex');
      for (const form of [
        key,
        Buffer.from(key),
        new DataView(Uint8Array.from(key).buffer),
        createSecretKey(key),
      ])
        expect(createHmac('sha256', form).update(data).digest('hex')).toBe(before);
    }),
  );
  expect(createHmac('sha256', 'words').update('x').digest('hex')).toBe(
    slowKeyed.createHmac('sha256', 'words').update('x').digest('hex'),
  );
});

it('seals for what opens by the old way, and opens what the old way has sealed', () => {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  for (const [seal, open] of [
    [createCipheriv, slowKeyed.createDecipheriv],
    [slowKeyed.createCipheriv, createDecipheriv],
  ] as const) {
    const cipher = seal('aes-256-gcm', key, iv, { authTagLength: 16 });
    const sealed = [cipher.update('words'), cipher.final()];
    const decipher = open('aes-256-gcm', key, iv, { authTagLength: 16 }).setAuthTag(cipher.getAuthTag());
    expect(Buffer.concat([...sealed.map((part) => decipher.update(part)), decipher.final()]).toString()).toBe(
      'words',
    );
  }
});

it('refuses a key of the wrong length, and no key at all', () => {
  expect(() => createCipheriv('aes-256-cbc', randomBytes(31), randomBytes(16))).toThrow(RangeError);
  // @ts-expect-error: nobody may
  expect(() => createHmac('sha256', undefined)).toThrow(TypeError);
});

it('is what everybody calls from then on', () => {
  expect(createHmac).not.toBe(slowKeyed.createHmac);
});
