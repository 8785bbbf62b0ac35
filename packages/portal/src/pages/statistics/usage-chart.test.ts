import { expect, it } from 'vitest';
import { partsOf } from './usage-chart.tsx';

it('splits accepted messages into parts that add up to them', () => {
  const day = { date: '2026-07-18', accepted: 10, sent: 7, delivered: 4, failed: 1, received: 5 };
  expect(partsOf(day)).toEqual([4, 3, 2, 1]);
});
