import assert from 'node:assert/strict';
import { makeOwner, type Owner } from '../owners.ts';
import { type TestHarness, visit } from '../visit.ts';
import { judge } from './looks.ts';

/** An account that takes along what it has, asks for its end, and stays after all. */
export function accountChecks(harness: TestHarness): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  let owner: Owner;
  return {
    'an owner takes along all that the account has': async () => {
      owner = await makeOwner(gateway, 'Leaving');
      await visit(harness, '/portal/numbers', { as: owner }, async (page) => {
        await page.getByRole('button', { name: 'Account' }).click();
        await page.getByRole('link', { name: 'Account', exact: true }).click();
        await page.getByText('No archive is there at the moment.').waitFor();
        await page.getByRole('button', { name: 'Prepare an archive' }).click();
        const link = page.getByRole('link', { name: 'Download' });
        await link.waitFor();
        const answer = await page.request.get(gateway.url + (await link.getAttribute('href')));
        assert.equal(answer.status(), 200);
        assert.equal((await answer.body()).toString('latin1', 0, 2), 'PK');
        await page.getByRole('cell', { name: 'Archive downloaded' }).waitFor();
      });
    },

    'an account that is to be deleted says so on every page, and can be kept': () =>
      visit(harness, '/portal/account', { as: owner, expects: /403/ }, async (page) => {
        await page.getByRole('button', { name: 'Delete the account' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('I understand what will be erased').check();
        await dialog.getByLabel('Your password').fill('not the password');
        await dialog.getByRole('button', { name: 'Delete the account' }).click();
        await dialog.getByRole('alert').waitFor();
        await dialog.getByLabel('Your password').fill(owner.password);
        await dialog.getByRole('button', { name: 'Delete the account' }).click();
        await page.getByText('This account is to be deleted').waitFor();
        await page.goto(`${gateway.url}/portal/team`);
        await page.getByRole('button', { name: 'Keep the account' }).click();
        await page.getByText('The account stays.').waitFor();
        await page.getByText('This account is to be deleted').waitFor({ state: 'detached' });
      }),

    'the operator looks at the portal as the account, and its owner reads of it': async () => {
      const path = `/portal/operator/accounts/${owner.accountId}`;
      await visit(harness, path, { as: 'operator' }, async (page) => {
        await page.getByRole('button', { name: 'Look as this account' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Your name').fill('Grace');
        await dialog.getByLabel('Reason').fill('Request 7');
        await dialog.getByRole('button', { name: 'Look as this account' }).click();
        await page.getByText('You look at Leaving as the operator (Grace)').waitFor();
        await page.getByRole('button', { name: 'Register a number' }).waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Team' }).click();
        await page.getByText('You look at Leaving as the operator (Grace)').waitFor();
        await judge(page);
        await page.getByRole('button', { name: 'End the visit' }).click();
        await page.getByRole('heading', { name: 'Leaving', level: 1 }).waitFor();
      });
      await visit(harness, '/portal/account', { as: owner }, (page) =>
        page.getByRole('row', { name: /^Operator looked Operator .*Grace/ }).waitFor(),
      );
    },

    'the operator hastens the end of an account, after which it is none': async () => {
      await gateway.operator('DELETE', `/accounts/${owner.accountId}`);
      const path = `/portal/operator/accounts/${owner.accountId}`;
      await visit(harness, path, { as: 'operator', expects: /404/ }, async (page) => {
        await page.getByText('It is erased from').waitFor();
        await page.getByRole('button', { name: 'Erase it now' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Erase it now' }).click();
        await page.getByText('The account is to be deleted.').waitFor();
      });
    },
  };
}
