import { describe } from 'vitest';
import { describeGroupCommit } from './group-commit.ts';
import { createHarness, type Harness, type Target } from './harness.ts';
import { describeLife } from './life.ts';
import { describeReadings } from './readings.ts';
import { describeTransactions } from './transactions.ts';
import { describeValues } from './values.ts';

/** Requirements of every dialect of the store. `ownTests` adds those of this one. */
export function describeStore(name: string, target: Target, ownTests: (harness: Harness) => void): void {
  describe(name, () => {
    const harness = createHarness(target);
    describeValues(harness);
    describeUse(harness);
    describeLife(harness);
    ownTests(harness);
  });
}

/** Requirements of every access to a store, also one through another thread. */
export function describeWayToStore(name: string, target: Target): void {
  describe(name, () => describeUse(createHarness(target)));
}

function describeUse(harness: Harness): void {
  describeTransactions(harness);
  describeGroupCommit(harness);
  describeReadings(harness);
}
