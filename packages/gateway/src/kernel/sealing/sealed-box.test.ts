import { describe, expect, it } from 'vitest';
import { systemRandom } from '../random.ts';
import { createSealedBox, UnopenableBox } from './sealed-box.ts';

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const boxUnder = (...fills: [number, ...number[]]) =>
  createSealedBox({ masterKeys: fills.map(key) as [Uint8Array, ...Uint8Array[]], random: systemRandom });
const plain = Buffer.from('the secret of a webhook');

describe('a sealed box', () => {
  it('opens for the row that it was sealed for and shows nothing of its content', () => {
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

  it('lets the master key be changed while old boxes still open, and tells which ones are old', () => {
    const old = boxUnder(1).seal(plain, 'x');
    const rotated = boxUnder(2, 1);
    expect(Buffer.from(rotated.open(old, 'x'))).toEqual(plain);
    expect(rotated.isStale(old)).toBe(true);
    expect(rotated.isStale(rotated.seal(plain, 'x'))).toBe(false);
  });
});

describe('a fingerprint', () => {
  it('is the same for the same text, and can be guessed by nobody without the key', () => {
    expect(boxUnder(1).fingerprint('yes')).toEqual(boxUnder(1).fingerprint('yes'));
    expect(boxUnder(1).fingerprint('yes')).not.toEqual(boxUnder(1).fingerprint('no'));
    expect(boxUnder(1).fingerprint('yes')).not.toEqual(boxUnder(2).fingerprint('yes'));
  });
});
