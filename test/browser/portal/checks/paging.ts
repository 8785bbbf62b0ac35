import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { startGateway } from '../gateway.ts';
import { makeOwner, type Owner, registerNumber } from '../owners.ts';
import { settled } from '../pages.ts';
import { NARROW, type TestHarness, type VisitOptions, visit } from '../visit.ts';

const PAGE_SIZE = 50;
/** More than two pages, so that the button appears again. */
const COUNT = 2 * PAGE_SIZE + 3;
const PERIOD_SECONDS = 31 * 24 * 3_600;

interface GrowingTable {
  readonly table: string;
  readonly address: string;
  readonly as: VisitOptions['as'];
}

/** Lists that grow page by page: in a gateway of their own, because the clock advances by a period. */
export function growingChecks({ browser }: TestHarness): Record<string, () => Promise<void>> {
  return {
    'a long list grows page by page, with the keyboard alone and on a narrow screen': async () => {
      const gateway = await startGateway();
      try {
        const harness = { gateway, browser };
        const owner = await furnishMany(harness);
        const account = `/portal/operator/accounts/${owner.accountId}`;
        const tables: readonly GrowingTable[] = [
          { table: 'Invoices', address: '/portal/billing', as: owner },
          { table: 'Invoices', address: '/portal/operator/billing', as: 'operator' },
          { table: 'Numbers', address: account, as: 'operator' },
          { table: 'API keys', address: account, as: 'operator' },
        ];
        for (const each of tables) {
          await growsWithKeyboard(harness, each);
          await growsOnNarrowScreen(harness, each);
        }
        await comesBackAfterFailure(harness, owner);
      } finally {
        await gateway.stop();
      }
    },
  };
}

/** An owner with more numbers, keys and invoices than two pages hold. */
async function furnishMany({ gateway }: TestHarness): Promise<Owner> {
  const owner = await makeOwner(gateway, 'Ada’s Chain');
  for (let count = 0; count < COUNT; count++) {
    await registerNumber(gateway, owner, String(15_556_000_000 + count), 'pro');
    await gateway.operator('POST', `/accounts/${owner.accountId}/api-keys`, { name: `Till ${count}` });
  }
  await gateway.sandbox('POST', '/clock', { advance_seconds: PERIOD_SECONDS });
  await gateway.operator('POST', '/invoices/run', {});
  return owner;
}

const partsOf = (page: Page, table: string) => {
  const card = page.getByRole('region', { name: table, exact: true });
  return {
    rows: card.locator('tbody tr:not(.spacer)'),
    button: card.getByRole('button', { name: 'Show more' }),
    status: card.getByRole('status'),
    row: (number: number) => card.locator(`tr[aria-rowindex="${number + 1}"]`),
  };
};

async function growsWithKeyboard(harness: TestHarness, { table, address, as }: GrowingTable): Promise<void> {
  await visit(harness, address, { as }, async (page) => {
    await settled(page);
    const { rows, button, status, row } = partsOf(page, table);
    await button.waitFor();
    assert.equal(await rows.count(), PAGE_SIZE, table);

    await button.focus();
    await page.keyboard.press('Enter');
    await status.getByText('100 are shown.').waitFor();
    assert.equal(await rows.count(), 2 * PAGE_SIZE, table);
    await isFocused(page, row(PAGE_SIZE + 1), table);

    await button.focus();
    await page.keyboard.press('Enter');
    await status.getByText(`All ${COUNT} are shown.`).waitFor();
    assert.equal(await rows.count(), COUNT, table);
    assert.equal(await button.count(), 0, `${table}: nothing is left to load`);
    await isFocused(page, row(2 * PAGE_SIZE + 1), table);
  });
}

async function growsOnNarrowScreen(
  harness: TestHarness,
  { table, address, as }: GrowingTable,
): Promise<void> {
  await visit(harness, address, { as, viewport: NARROW }, async (page) => {
    await settled(page);
    const { button, status } = partsOf(page, table);
    await button.click();
    await status.getByText('100 are shown.').waitFor();
    const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate(overhang), 0, `${table}: is as wide as the screen`);
  });
}

/** The same button retries a failed request, and keeps the focus. */
async function comesBackAfterFailure(harness: TestHarness, owner: Owner): Promise<void> {
  const options = { as: owner, expects: /ERR_FAILED/ };
  await visit(harness, '/portal/billing', options, async (page) => {
    await settled(page);
    const { button, status, rows } = partsOf(page, 'Invoices');
    await page.route('**/portal/api/invoices?**', (route) => route.abort());
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    assert.equal(await rows.count(), PAGE_SIZE);
    await isFocused(page, button, 'the button');
    await page.unrouteAll();
    await page.keyboard.press('Enter');
    await status.getByText('100 are shown.').waitFor();
    assert.equal(await rows.count(), 2 * PAGE_SIZE);
  });
}

async function isFocused(page: Page, element: Locator, name: string): Promise<void> {
  await element
    .and(page.locator(':focus'))
    .waitFor()
    .catch((error: unknown) => {
      throw new Error(`${name}: is not focused`, { cause: error });
    });
}
