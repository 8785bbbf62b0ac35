import { expect, it } from 'vitest';
import { onOneLine } from './text.ts';

it('brings a text onto one line, and drops invisible characters', () => {
  expect(onOneLine('Ada\r\n\r\nYour account is closed.\u2028\u2029\u0085Pay\there')).toBe(
    'Ada Your account is closed. Pay here',
  );
  expect(onOneLine('\u202egpj.exe\u202c \u0000\u001b[31m\u009b\u2067x\u2069')).toBe('gpj.exe [31mx');
});

it('leaves names as people write them', () => {
  for (const name of [
    'Zoë Müller-Łącka',
    '山田 太郎',
    'دنيا',
    'נועה\u200f (Tel Aviv)',
    '👩‍👩‍👧 family',
    'a  b',
  ])
    expect(onOneLine(name)).toBe(name);
});
