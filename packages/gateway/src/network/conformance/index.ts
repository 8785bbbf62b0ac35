import { describe } from 'vitest';
import { describeConnection } from './connection.ts';
import type { CreateHarness } from './harness.ts';
import { describePairing } from './pairing.ts';

export type { CreateHarness, Harness } from './harness.ts';

/** Registers the tests that every driver of the network port must pass. */
export function describeNetworkDriver(name: string, createHarness: CreateHarness): void {
  describe(`${name} network driver`, () => {
    describePairing(createHarness);
    describeConnection(createHarness);
  });
}
