import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyedHash } from './keyed-hash.ts';

it('is the HMAC of Node.js, whatever was hashed before', () => {
  const key = randomBytes(32);
  const fingerprint = createKeyedHash(key);
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.integer({ min: 1_360, max: 4_200 }).map((length) => '€'.repeat(length)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const made = Buffer.from(fingerprint(text)).toString('hex');
      expect(made).toBe(createHmac('sha256', key).update(text).digest('hex'));
    }),
    { numRuns: 200 },
  );
});

it('takes keys of up to a block', () => {
  const key = randomBytes(64);
  expect(createKeyedHash(key)('yes')).toEqual(createHmac('sha256', key).update('yes').digest());
  expect(() => createKeyedHash(randomBytes(65))).toThrow('longer than a block');
});
