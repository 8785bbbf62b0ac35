import assert from 'node:assert/strict';
import { until } from '../../until.ts';
import type { Furnished } from '../furnish.ts';
import { makeOwner } from '../owners.ts';
import { type TestHarness, visit } from '../visit.ts';

/** A person with two tabs, who makes a mistake, changes something, and signs out. */
export function tabChecks(
  harness: TestHarness,
  { phone: taken }: Furnished,
): Record<string, () => Promise<void>> {
  return {
    'an error appears at its field, a change shows in the other tab, and a sign-out applies to both':
      async () => {
        const owner = await makeOwner(harness.gateway, 'Two Tabs');
        const expects = /status of 4\d\d/;
        await visit(harness, '/portal/numbers', { as: owner, expects }, async (page, context) => {
          const other = await context.newPage();
          await other.goto(`${harness.gateway.url}/portal/numbers`);
          await other.getByText('Register your first number').waitFor();

          await page.getByRole('button', { name: 'Register a number' }).first().click();
          const field = page.getByRole('dialog').getByLabel('Phone number');
          await field.fill(`+${taken}`);
          await page.getByRole('dialog').getByRole('button', { name: 'Register a number' }).click();
          await page.getByRole('alert').getByText('already registered').waitFor();
          assert.equal(await field.getAttribute('aria-invalid'), 'true');
          const [noteId = ''] = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
          assert.match((await page.locator(`[id="${noteId}"]`).textContent()) ?? '', /already registered/);

          await field.fill('+1 555 000 8801');
          await page.getByRole('dialog').getByRole('button', { name: 'Register a number' }).click();
          await page.getByRole('heading', { name: '+1 555 000 8801', level: 1 }).waitFor();
          await other.getByRole('link', { name: '+1 555 000 8801' }).waitFor();

          await page.getByRole('button', { name: 'Account' }).click();
          await page.getByText(/^Times are in \w/).waitFor();
          await page.getByRole('button', { name: 'Sign out', exact: true }).click();
          await until(() => other.getByRole('button', { name: 'Sign in' }).isVisible());
        });
      },
  };
}
