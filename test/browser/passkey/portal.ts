import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { judge } from '../portal/checks/appearance.ts';
import { type TestHarness, visit } from '../portal/visit.ts';
import { until } from '../until.ts';
import { type GuardedNumber, guardNumber, makePasskey, plugInAuthenticator } from './guarded.ts';

/** The same in the portal, for a signed-in owner. */
export function portalChecks(harness: TestHarness): Record<string, () => Promise<void>> {
  const { gateway } = harness;

  async function inPortal(
    method: 'qr' | 'code',
    use: (page: Page, number: GuardedNumber) => Promise<void>,
    afterwards?: (page: Page, number: GuardedNumber) => Promise<void>,
  ): Promise<void> {
    const number = await guardNumber(gateway);
    const address = `/portal/numbers/${number.phone}`;
    await visit(harness, address, { as: number.owner }, async (page) => {
      await plugInAuthenticator(page);
      await makePasskey(page, gateway, number.phone);
      const shown = page.waitForResponse(async (response) => {
        if (!response.url().includes('/portal/api/pairings/')) return false;
        const { qr, code } = (await response.json()) as { qr?: string; code?: string };
        return (qr ?? code) !== undefined;
      });
      if (method === 'code') await page.getByRole('radio', { name: 'Code', exact: true }).check();
      await page.getByRole('button', { name: 'Start' }).click();
      await number.take(await (await shown).json());
      await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
      await use(page, number);
      await page.getByText('The number can send and receive.').waitFor();
      await afterwards?.(page, number);
    });
  }

  return {
    'a guarded number is linked by QR in the portal': () =>
      inPortal('qr', async (page) => {
        await page.getByRole('button', { name: 'Copy link' }).waitFor();
        await page.getByRole('button', { name: 'Confirm with passkey' }).click();
      }),

    'the login of a linked number is confirmed in the portal, after its codes were compared': () =>
      inPortal(
        'qr',
        async (page) => {
          await page.getByRole('button', { name: 'Confirm with passkey' }).click();
        },
        async (page, number) => {
          await number.askAtLogin();
          await page.getByRole('heading', { name: 'WhatsApp asks for the passkey' }).waitFor();
          await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
          await page.getByRole('button', { name: 'Copy link' }).waitFor();
          await judge(page);
          await gateway.sandbox('POST', '/clock', { advance_seconds: 320 });
          await page.getByRole('button', { name: 'Confirm with passkey' }).click();
          const code = await until(() => page.getByLabel('Code to compare').textContent());
          assert.equal(code, await number.codeOnPhone());
          await page.getByRole('button', { name: 'Yes, it is the same' }).click();
          await page
            .getByRole('heading', { name: 'WhatsApp asks for the passkey' })
            .waitFor({ state: 'detached' });
        },
      ),

    'a guarded number is linked by code in the portal, after its codes were compared': () =>
      inPortal('code', async (page, number) => {
        await gateway.sandbox('POST', '/clock', { advance_seconds: 301 });
        await page.getByRole('button', { name: 'Confirm with passkey' }).click();
        const code = await until(() => page.getByLabel('Code to compare').textContent());
        assert.equal(code, await number.codeOnPhone());
        await page.getByRole('button', { name: 'Yes, it is the same' }).click();
      }),
  };
}
