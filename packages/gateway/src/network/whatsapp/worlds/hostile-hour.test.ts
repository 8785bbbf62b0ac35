import { expect, test } from 'vitest';
import { ABOUT_PEOPLE, describeNetworkDriver } from '../../testing/conformance/index.ts';
import { createChance, startHostileWorld } from '../testing/hostile-world.ts';

/** What the network brings by chance in about the same order at each run. */
const chance = createChance(18);
const met = new Set<number>();

describeNetworkDriver('in a hostile hour, the whatsapp', () => startHostileWorld(chance, met), ABOUT_PEOPLE);

test('the hour was hostile, no direct message went to a number, and none was repeated that counts against it', () => {
  expect([...met].toSorted((a, b) => a - b)).toEqual([429, 463, 479, 503, 515]);
});
