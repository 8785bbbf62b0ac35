import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Furnished } from '../furnish.ts';
import { makeOwner, registerNumber } from '../owners.ts';
import { type TestHarness, visit } from '../visit.ts';

/** Prices and invoices, as owners see them and the operator sets them. */
export function billingChecks(
  harness: TestHarness,
  { owner, phone, spare, invoiceId }: Furnished,
): Record<string, () => Promise<void>> {
  const dialog = (page: Page) => page.getByRole('dialog');

  return {
    'an owner sees the cost of a period, gets invoices as page, PDF and CSV, and sets the address for the next':
      () =>
        visit(harness, '/portal/billing', { as: owner }, async (page) => {
          await page
            .getByRole('row', { name: /€117\.81$/ })
            .first()
            .waitFor();
          await page.getByRole('columnheader', { name: 'At the end, probably' }).waitFor();
          await page.getByText(/for all numbers when their periods end$/).waitFor();
          await page.getByRole('button', { name: 'Change' }).click();
          await dialog(page).getByLabel('Address').fill('1 Quay Street\nPortsmouth');
          await dialog(page).getByRole('button', { name: 'Save' }).click();
          await page.getByText('1 Quay Street').waitFor();

          const csv = await page.request.get(`${harness.gateway.url}/portal/api/invoices.csv`);
          assert.match(await csv.text(), /^number,invoice_id,.*\r\n/);
          await page.locator(`a[href$="${invoiceId}"]`).click();
          await page.getByRole('heading', { name: 'Invoice', level: 1 }).waitFor();
          assert.match(
            await page.getByRole('article').innerText(),
            /Parley Hosting.*Net\s+€[\d.]+\s+Tax 19 %/s,
          );
          const pdf = page.getByRole('link', { name: 'PDF' });
          const file = await page.request.get(harness.gateway.url + (await pdf.getAttribute('href')));
          assert.equal(file.headers()['content-type'], 'application/pdf');
          assert.match((await file.body()).toString('latin1'), /^%PDF-1\.4/);
        }),

    'a change of plan starts from the current plan, shows the changes, and asks for confirmation': () =>
      visit(harness, `/portal/numbers/${spare}`, { as: owner }, async (page) => {
        await page.getByRole('button', { name: 'Change plan' }).click();
        const change = dialog(page).getByRole('button', { name: /^Change to/ });
        assert.ok(await dialog(page).getByRole('radio', { name: /^Pro/ }).isChecked());
        assert.ok(await change.isDisabled());
        await dialog(page).getByRole('radio', { name: /^Max/ }).check();
        await dialog(page)
          .getByText(/messages of this period count on/)
          .waitFor();
        await dialog(page).getByText('€22.61 → €58.31').waitFor();
        assert.ok(await change.isDisabled());
        await dialog(page).getByLabel('I understand what changes.').check();
        await change.click();
        await page.getByText('The plan is now Max.').waitFor();
      }),

    'a number gets a name; its plan is canceled, and started again': async () => {
      const frugal = await makeOwner(harness.gateway, 'Frugal');
      await registerNumber(harness.gateway, frugal, '15550008901', 'pro');
      await visit(harness, '/portal/numbers/15550008901', { as: frugal }, async (page) => {
        await page.getByRole('button', { name: 'Name this number' }).click();
        await dialog(page).getByLabel('Name').fill('Front desk');
        await dialog(page).getByRole('button', { name: 'Save' }).click();
        await dialog(page).waitFor({ state: 'detached' });
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'A page or a number' }).fill('front');
        await page.getByRole('option', { name: /Front desk/ }).waitFor();
        await page.keyboard.press('Enter');

        await page.getByRole('button', { name: 'Cancel plan' }).click();
        await dialog(page).getByText('its invoice asks for the days that it lasted').waitFor();
        await dialog(page).getByRole('button', { name: 'Cancel plan' }).click();
        await page.getByText(/^You canceled the plan on/).waitFor();
        await page.getByRole('button', { name: 'Choose a plan' }).click();
        await dialog(page).getByLabel('I understand what changes.').check();
        await dialog(page).getByRole('button', { name: 'Change to Pro' }).click();
        await page.getByText('Not linked').waitFor();
      });
    },

    'the operator changes a price, runs invoices, and marks one as paid, which its owner sees': async () => {
      await visit(harness, '/portal/operator/billing', { as: 'operator' }, async (page) => {
        await page.getByRole('button', { name: 'Change' }).first().click();
        await dialog(page).getByLabel('Price of Max').fill('59.90');
        await dialog(page).getByRole('button', { name: 'Save' }).click();
        await page.getByText('€59.90').waitFor();
        await page.getByRole('button', { name: 'Run now' }).click();
        await page.getByText(/Nothing is due|issued\.$/).waitFor();
        await page.locator(`a[href$="${invoiceId}"]`).click();
        await page.getByRole('button', { name: 'Mark as paid' }).click();
        await dialog(page).getByLabel('Reference').fill('bank 4711');
        await dialog(page).getByRole('button', { name: 'Mark as paid' }).click();
        await page.getByText(/\(bank 4711\)/).waitFor();
      });
      await visit(harness, `/portal/numbers/${phone}`, { as: owner }, async (page) => {
        await page.getByRole('row', { name: /R-\d+.*Paid$/ }).waitFor();
      });
    },

    'a key is rolled without a gap, and ended keys stay listed; the quick search finds pages by a few characters':
      () =>
        visit(harness, '/portal/numbers', { as: owner }, async (page) => {
          await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
          await page.keyboard.press('Control+k');
          await page.getByRole('combobox', { name: 'A page or a number' }).fill('api k');
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
          await page.getByRole('button', { name: 'Roll' }).first().click();
          await dialog(page)
            .getByLabel('The old key keeps working for')
            .selectOption('Not at all: end it now');
          await dialog(page).getByRole('button', { name: 'Roll' }).click();
          await dialog(page).getByText(/^pk_/).waitFor();
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'I have copied it' }).click();
          await page.getByRole('row', { name: /Revoked \d+ \w+ \d{4}$/ }).waitFor();
          await page.getByRole('row', { name: /^Trial .* Expired \d+ \w+ \d{4}$/ }).waitFor();
        }),
  };
}
