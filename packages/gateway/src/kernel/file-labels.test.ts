import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastGrowth } from '#testing/cpu';
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

it.each(['  ', 'a/b; ', 'a/', '\t'])('sanitizes a megabyte of %j in linear time', async (piece) => {
  const limit = 40;
  const growth = await leastGrowth({ short: 5e4, long: 5e5, limit }, (length) => {
    const text = piece.repeat(length);
    return [safeMediaType(text), safeFileName(text)];
  });
  // A hundredfold if it were quadratic.
  expect(growth).toBeLessThan(limit);
});
