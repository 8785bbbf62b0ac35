import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastGrowth } from '#testing/cpu';
import { createBase64Decoder, decodeBase64, NotBase64 } from './base64.ts';

describe('base64 that arrives in pieces', () => {
  it('decodes to the original, however it is cut and wrapped', () => {
    const property = fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.integer({ min: 1, max: 20 })),
      fc.constantFrom('', '\n', '\r\n', ' '),
      fc.boolean(),
      (bytes, cuts, space, padded) => {
        const encoded = Buffer.from(bytes).toString('base64');
        const text = (padded ? encoded : encoded.replaceAll('=', '')).replaceAll(/(.{7})/g, `$1${space}`);
        const decoder = createBase64Decoder();
        const pieces: Buffer[] = [];
        let at = 0;
        for (const cut of [...cuts, text.length]) {
          pieces.push(decoder.write(text.slice(at, at + cut)));
          at += cut;
        }
        pieces.push(decoder.end());
        expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
      },
    );
    fc.assert(property);
  });

  it.each(['a', 'ab-_', 'abc=d', 'ab=c=', 'ab===', 'abcd\0', 'äbcd', 'https://a.example/b', '=abc'])(
    'is not %j',
    (text) => {
      expect(() => decodeBase64(text)).toThrow(NotBase64);
      const decoder = createBase64Decoder();
      expect(() => {
        for (const each of text) decoder.write(each);
        decoder.end();
      }).toThrow(NotBase64);
    },
  );

  it.each([' ', 'A', 'A \n', '=='])('takes linear time to refuse many of %j', async (unit) => {
    const limit = 60;
    const growth = await leastGrowth({ short: 1 << 18, long: 1 << 22, limit }, (length) => {
      const text = `${unit.repeat(length / unit.length)}!`;
      expect(() => decodeBase64(text)).toThrow(NotBase64);
    });
    // Backtracking would take the square of the sixteenfold length.
    expect(growth).toBeLessThan(limit);
  });
});
