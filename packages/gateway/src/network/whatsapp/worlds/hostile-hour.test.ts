import { expect, test } from 'vitest';
import { DIRECT_CHATS, describeNetworkDriver } from '../../testing/conformance/index.ts';
import { createChance, startHostileWorld } from '../testing/hostile-world.ts';

/** The same faults in about the same order in each run. */
const chance = createChance(18);
const met = new Set<number>();

describeNetworkDriver(
  'under random faults, the whatsapp',
  () => startHostileWorld(chance, met),
  DIRECT_CHATS,
);

test('meets every fault, sends no direct message to a phone number and repeats none that counts against it', () => {
  expect([...met].toSorted((a, b) => a - b)).toEqual([429, 463, 479, 503, 515]);
});
