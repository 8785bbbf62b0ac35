import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { darkRuns } from './qr-code.tsx';

/** Paints the path back into modules. */
function paint(path: string, size: number): boolean[][] {
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  }
  return rows;
}

it('draws every module of the code', () => {
  const { data, size } = encode(`2@${'pairing,'.repeat(28)}`, { border: 2, ecc: 'L' });
  expect(paint(darkRuns(data), size)).toEqual(data);
});

it('draws a row that ends dark to its end', () => {
  expect(darkRuns([[false, true, true]])).toBe('M1 0h2v1h-2z');
});
