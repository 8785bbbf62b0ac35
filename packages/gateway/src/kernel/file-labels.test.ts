import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMediaType, safeFileName, safeMediaType } from './file-labels.ts';

describe('a media type from outside', () => {
  it.each([
    ['image/png', 'image/png'],
    ['audio/ogg; codecs=opus', 'audio/ogg; codecs=opus'],
    ['text/plain;charset="utf-8"', 'text/plain;charset="utf-8"'],
    ['  image/png\t', 'image/png'],
    ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
    ['image/png; name="a b"', 'image/png'],
    ['image/png;', 'image/png'],
    ['image/png\r\nSet-Cookie: a=b', 'application/octet-stream'],
    ['text/html; charset=utf-8\r\n\r\n<script>', 'text/html'],
    ['image/\u0000png', 'application/octet-stream'],
    ['картинка/png', 'application/octet-stream'],
    ['image/png\ud800', 'application/octet-stream'],
    ['image', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [`image/${'x'.repeat(1_000)}`, 'application/octet-stream'],
  ])('%j is answered as %j', (given, safe) => {
    expect(safeMediaType(given)).toBe(safe);
    expect(isMediaType(safe)).toBe(true);
  });
});

describe('a file name from outside', () => {
  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['Grüße 漢字 👋.pdf', 'Grüße 漢字 👋.pdf'],
    ['a\r\nX-Evil: 1.pdf', 'aX-Evil: 1.pdf'],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['two\u2028lines', 'twolines'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..', ''],
    ['\u0000', ''],
    ['half\ud800', 'half\ufffd'],
    [`${'x'.repeat(254)}👋`, `${'x'.repeat(254)}\ufffd`],
  ])('%j is kept as %j', (given, safe) => {
    expect(safeFileName(given)).toBe(safe);
  });
});

it('a sanitized label is never refused by a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const name = encodeURIComponent(safeFileName(text));
      expect(() => new Headers({ type: safeMediaType(text), name })).not.toThrow();
    }),
  );
});

it('sanitizes a megabyte in linear time', () => {
  const cost = (text: string): number => {
    const tries = [1, 2, 3].map(() => {
      const begun = process.threadCpuUsage();
      safeMediaType(text);
      safeFileName(text);
      return process.threadCpuUsage(begun).user;
    });
    return Math.min(...tries);
  };
  for (const piece of ['  ', 'a/b; ', 'a/', '\t']) {
    const [floor, tenfold] = [cost(piece.repeat(5e4)), cost(piece.repeat(5e5))];
    // A hundredfold if it were quadratic.
    expect(tenfold).toBeLessThan(40 * Math.max(floor, 1_000));
  }
});
