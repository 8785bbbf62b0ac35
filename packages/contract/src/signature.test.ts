import { expect, test } from 'vitest';
import { formatSignature, parseSignature, signedText } from './signature.ts';

const NEW = 'ab'.repeat(32);
const OLD = 'cd'.repeat(32);

test('signs timestamp, dot and raw body', () => {
  expect(signedText(1_784_365_200, '{"a":1}')).toBe('1784365200.{"a":1}');
});

test('parses the header that it writes, with one secret or with two', () => {
  expect(formatSignature(1_784_365_200, [NEW])).toBe(`t=1784365200,v1=${NEW}`);
  for (const hexSignatures of [[NEW], [NEW, OLD]]) {
    expect(parseSignature(formatSignature(1_784_365_200, hexSignatures))).toEqual({
      timestampUnix: 1_784_365_200,
      hexSignatures,
    });
  }
});

test.each(['', 't=1', `v1=${NEW}`, `t=x,v1=${NEW}`, 't=1,v1=abc', `t=-1,v1=${NEW}`])(
  '%j is no signature',
  (header) => {
    expect(parseSignature(header)).toBeNull();
  },
);

test('ignores unknown parts, so that a later scheme can be added', () => {
  expect(parseSignature(`t=1, v1=${NEW}, v2=zz`)).toEqual({ timestampUnix: 1, hexSignatures: [NEW] });
});
