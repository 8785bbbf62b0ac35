import { expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createTimeTravel } from './time-travel.ts';

function createVault() {
  const values = new Map<string, Uint8Array>();
  return {
    read: (scope: string, key: string) => values.get(`${scope} ${key}`),
    write: (scope: string, key: string, value: Uint8Array) => void values.set(`${scope} ${key}`, value),
  };
}

it('moves a new process to the time of the last one', () => {
  const vault = createVault();
  const before = createSteppedClock(1_000_000);
  const travel = createTimeTravel(vault, before);
  travel.resume();
  expect(travel.now()).toBe(1_000_000);
  travel.advance(61_000);
  travel.advance(500);
  expect(before.now()).toBe(1_061_500);

  const after = createSteppedClock(1_200_000);
  createTimeTravel(vault, after).resume();
  expect(after.now()).toBe(1_261_500);
});
