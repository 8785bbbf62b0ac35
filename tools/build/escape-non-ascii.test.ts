import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { escapeNonAscii } from './escape-non-ascii.ts';

it.each([
  `'Você: “ja” – 👋🏽'`,
  '`Ångström 👋`',
  `({ größe: 1, 'naïve key': 2 })`,
  '/^[àéîõü👋-👏]+$/u.test("é👋")',
  '/[–—]/.exec("a—b").index',
  '((strings) => strings.join())`üß`',
  '"\\\\n" + "ü"',
])('%s means the same', (code) => {
  const plain = escapeNonAscii(code);
  expect(plain).toMatch(/^[\0-\x7f]+$/);
  expect(runInNewContext(plain)).toEqual(runInNewContext(code));
});

it.each(['String.raw`ü`', '"\\ü"', '/\\–/.test("–")'])('leaves %s unchanged', (code) => {
  expect(escapeNonAscii(code)).toBe(code);
});
