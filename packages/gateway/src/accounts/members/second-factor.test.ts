import { describe, expect, it } from 'vitest';
import { codeAt, otpauthUri, periodOf, toBase32 } from './second-factor.ts';

/** That of the examples in RFC 6238. */
const SECRET = Buffer.from('12345678901234567890');
const PERIOD_MS = 30_000;

describe('a code of the time', () => {
  // Appendix B, of whose eight digits the last six are left.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is at second %i what the standard says', (second, code) => {
    expect(codeAt(SECRET, second * 1_000)).toBe(code);
  });

  it('counts in its own period, the one before and the one after, and in no other', () => {
    const at = 1_000_000 * PERIOD_MS;
    const code = codeAt(SECRET, at);
    const judged = [-2, -1, 0, 1, 2].map((periods) => periodOf(SECRET, code, at + periods * PERIOD_MS));
    expect(judged).toEqual([undefined, 1_000_000, 1_000_000, 1_000_000, undefined]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('is not %j', (code) => {
    expect(periodOf(SECRET, code, 0)).toBeUndefined();
  });

  it('comes from a secret that apps can scan', () => {
    expect(toBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(otpauthUri(SECRET, 'ada+x@example.com')).toBe(
      'otpauth://totp/Parley%3Aada%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Parley',
    );
  });
});
