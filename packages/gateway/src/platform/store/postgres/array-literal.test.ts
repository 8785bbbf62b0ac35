import { expect, it } from 'vitest';
import { arrayLiteral } from './link.ts';

it.each([
  ['nothing', [], '{}'],
  ['plain texts', ['a', 'b c'], '{"a","b c"}'],
  ['texts that would mean something else', ['', 'NULL', '{a,b}'], '{"","NULL","{a,b}"}'],
  ['quotes and backslashes', ['say "x"', '\\', '\\"'], '{"say \\"x\\"","\\\\","\\\\\\""}'],
  ['what is not there', [null, undefined, 1], '{NULL,NULL,1}'],
  ['numbers', [0, -1.5, 1e21], '{0,-1.5,1e+21}'],
  [
    'bytes, also of a view',
    [Uint8Array.of(1, 255), new Uint8Array(Uint8Array.of(9, 16, 9).buffer, 1, 1)],
    '{"\\\\x01ff","\\\\x10"}',
  ],
])('writes %s', (_what, elements, literal) => {
  expect(arrayLiteral(elements)).toBe(literal);
});
