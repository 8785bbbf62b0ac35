import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../random.ts';
import { createKeyedHash, createSealedBox, UnopenableBox } from './sealed-box.ts';

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const boxUnder = (...fills: [number, ...number[]]) =>
  createSealedBox({ masterKeys: fills.map(key) as [Uint8Array, ...Uint8Array[]], random: systemRandom });
const plain = Buffer.from('the secret of a webhook');

describe('a sealed box', () => {
  it('opens for its own row and shows nothing of its content', () => {
    const box = boxUnder(1).seal(plain, 'webhook wh_1');
    expect(Buffer.from(box).includes('secret')).toBe(false);
    expect(Buffer.from(boxUnder(1).open(box, 'webhook wh_1'))).toEqual(plain);
  });

  it('does not open in another row, under another key, or with any byte changed', () => {
    const box = boxUnder(1).seal(plain, 'webhook wh_1');
    expect(() => boxUnder(1).open(box, 'webhook wh_2')).toThrow(UnopenableBox);
    expect(() => boxUnder(2).open(box, 'webhook wh_1')).toThrow(UnopenableBox);
    for (let at = 0; at < box.length; at++) {
      const altered = Uint8Array.from(box);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => boxUnder(1).open(altered, 'webhook wh_1'), `byte ${at}`).toThrow(UnopenableBox);
    }
    expect(() => boxUnder(1).open(box.subarray(0, 20), 'webhook wh_1')).toThrow(UnopenableBox);
  });

  it('never seals the same content into the same bytes', () => {
    expect(boxUnder(1).seal(plain, 'x')).not.toEqual(boxUnder(1).seal(plain, 'x'));
  });

  it('opens old boxes during a change of the master key, and reports which ones are stale', () => {
    const old = boxUnder(1).seal(plain, 'x');
    const rotated = boxUnder(2, 1);
    expect(Buffer.from(rotated.open(old, 'x'))).toEqual(plain);
    expect(rotated.isStale(old)).toBe(true);
    expect(rotated.isStale(rotated.seal(plain, 'x'))).toBe(false);
  });
});

describe('a fingerprint', () => {
  it('is the same for the same text, and cannot be guessed without the key', () => {
    expect(boxUnder(1).fingerprint('yes')).toEqual(boxUnder(1).fingerprint('yes'));
    expect(boxUnder(1).fingerprint('yes')).not.toEqual(boxUnder(1).fingerprint('no'));
    expect(boxUnder(1).fingerprint('yes')).not.toEqual(boxUnder(2).fingerprint('yes'));
  });
});

it('equals the HMAC of Node.js, whatever was hashed before', () => {
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

it('accepts keys of up to a block', () => {
  const key = randomBytes(64);
  expect(createKeyedHash(key)('yes')).toEqual(createHmac('sha256', key).update('yes').digest());
  expect(() => createKeyedHash(randomBytes(65))).toThrow('longer than a block');
});
