import { describe, expect, it } from 'vitest';
import { selectVisibleRows } from './virtual.ts';

const LONG = { rows: 10_000, rowHeight: 40, height: 800 };

describe('the window of a long list', () => {
  it('begins at the top and is little longer than the screen', () => {
    expect(selectVisibleRows({ ...LONG, top: 0 })).toEqual({ first: 0, end: 32 });
  });

  it('follows the scroll', () => {
    expect(selectVisibleRows({ ...LONG, top: -40 * 5_000 })).toEqual({ first: 4_988, end: 5_032 });
  });

  it('stays inside the list at its end and far below it', () => {
    expect(selectVisibleRows({ ...LONG, top: -40 * 9_990 }).end).toBe(10_000);
    expect(selectVisibleRows({ ...LONG, top: -40 * 20_000 })).toEqual({ first: 10_000, end: 10_000 });
  });

  it('is the whole list when that is short', () => {
    expect(selectVisibleRows({ ...LONG, rows: 200, top: -4_000 })).toEqual({ first: 0, end: 200 });
  });
});
