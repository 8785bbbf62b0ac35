import { expect, it } from 'vitest';
import { partOf } from './answer.ts';

it.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=0-99', { from: 0, to: 100 }],
  ['bytes=10-', { from: 10, to: 100 }],
  ['bytes=10-1000', { from: 10, to: 100 }],
  ['bytes=-10', { from: 90, to: 100 }],
  ['bytes=-1000', { from: 0, to: 100 }],
  ['bytes=100-', 'outside'],
  ['bytes=100-200', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  ['bytes=a-b', undefined],
  ['bytes=-', undefined],
  [undefined, undefined],
])('of 100 bytes, %s is %o', (header, part) => {
  expect(partOf(header, 100)).toEqual(part);
});
