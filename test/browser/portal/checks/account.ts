import assert from 'node:assert/strict';
import { makeOwner, type Owner } from '../owners.ts';
import { type TestHarness, visit } from '../visit.ts';
import { judge } from './appearance.ts';

/** An account that exports its data, requests its erasure, and revokes that. */
export function accountChecks(harness: TestHarness): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  let owner: Owner;
  return {
    'an owner exports all data of the account': async () => {
      owner = await makeOwner(gateway, 'Leaving');
      await visit(harness, '/portal/numbers', { as: owner }, async (page) => {
        await page.getByRole('button', { name: 'Account' }).click();
        await page.getByRole('link', { name: 'Account', exact: true }).click();
        await page.getByText('There is no archive yet.').waitFor();
        await page.getByRole('button', { name: 'Prepare an archive' }).click();
        const link = page.getByRole('link', { name: 'Download' });
        await link.waitFor();
        const answer = await page.request.get(gateway.url + (await link.getAttribute('href')));
        assert.equal(answer.status(), 200);
        assert.equal((await answer.body()).toString('latin1', 0, 2), 'PK');
        await page.getByRole('cell', { name: 'Archive downloaded' }).waitFor();
      });
    },

    'an account with a pending deletion shows it on every page, and can revoke it': () =>
      visit(harness, '/portal/account', { as: owner, expects: /403/ }, async (page) => {
        await page.getByRole('button', { name: 'Delete the account' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('I understand what will be erased').check();
        await dialog.getByLabel('Your password').fill('not the password');
        await dialog.getByRole('button', { name: 'Delete the account' }).click();
        await dialog.getByRole('alert').waitFor();
        await dialog.getByLabel('Your password').fill(owner.password);
        await dialog.getByRole('button', { name: 'Delete the account' }).click();
        await page.getByText('This account is scheduled for deletion').waitFor();
        await page.goto(`${gateway.url}/portal/team`);
        await page.getByRole('button', { name: 'Keep the account' }).click();
        await page.getByText('The deletion is canceled.').waitFor();
        await page.getByText('This account is scheduled for deletion').waitFor({ state: 'detached' });
      }),

    'the operator views the portal as the account, and its owner sees that in the audit log': async () => {
      const path = `/portal/operator/accounts/${owner.accountId}`;
      await visit(harness, path, { as: 'operator' }, async (page) => {
        await page.getByRole('button', { name: 'View as this account' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Your name').fill('Grace');
        await dialog.getByLabel('Reason').fill('Request 7');
        await dialog.getByRole('button', { name: 'View as this account' }).click();
        await page.getByText('You view Leaving as the operator (Grace)').waitFor();
        await page.getByRole('button', { name: 'Register a number' }).waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Team' }).click();
        await page.getByText('You view Leaving as the operator (Grace)').waitFor();
        await judge(page);
        await page.getByRole('button', { name: 'End the visit' }).click();
        await page.getByRole('heading', { name: 'Leaving', level: 1 }).waitFor();
      });
      await visit(harness, '/portal/account', { as: owner }, (page) =>
        page.getByRole('row', { name: /^Operator looked Operator .*Grace/ }).waitFor(),
      );
    },

    'the operator brings the deletion of an account forward, and the account is gone': async () => {
      await gateway.operator('DELETE', `/accounts/${owner.accountId}`);
      const path = `/portal/operator/accounts/${owner.accountId}`;
      await visit(harness, path, { as: 'operator', expects: /404/ }, async (page) => {
        await page.getByText('It is erased from').waitFor();
        await page.getByRole('button', { name: 'Erase it now' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Erase it now' }).click();
        await page.getByText('The account is scheduled for deletion.').waitFor();
      });
    },
  };
}
