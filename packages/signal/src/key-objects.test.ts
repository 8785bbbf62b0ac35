import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { originalKeyed, useKeyObjects } from './key-objects.ts';

beforeAll(useKeyObjects);

const bytes = fc.uint8Array({ maxLength: 200 });

it('hashes as before, with a key of any length and form', () => {
  fc.assert(
    fc.property(bytes, bytes, (key, data) => {
      const before = originalKeyed.createHmac('sha256', key).update(data).digest('hex');
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
    originalKeyed.createHmac('sha256', 'words').update('x').digest('hex'),
  );
});

it('seals what Node.js opens, and opens what Node.js sealed', () => {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  for (const [seal, open] of [
    [createCipheriv, originalKeyed.createDecipheriv],
    [originalKeyed.createCipheriv, createDecipheriv],
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
  // @ts-expect-error: the types forbid it
  expect(() => createHmac('sha256', undefined)).toThrow(TypeError);
});

it('is what every module calls afterwards', () => {
  expect(createHmac).not.toBe(originalKeyed.createHmac);
});
