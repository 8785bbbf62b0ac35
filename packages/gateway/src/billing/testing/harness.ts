import { createHarness as createAccountsHarness, type TestHarness } from '#accounts/testing';
import { createSealedBox, systemRandom } from '#kernel';
import type { Store } from '#platform/store';
import type { BillingContext } from '../context.ts';

export { auditLog, countSends, newNumber, travelTo } from '#accounts/testing';

/** The room as a test uses it: on a clock of its own, which stands at the first day of 2026. */
export function createHarness(test: { store: Store }): TestHarness & BillingContext {
  return {
    ...createAccountsHarness(test),
    sealedBox: createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom }),
    urlRules: { httpsOnly: false, publicOnly: false },
  };
}
