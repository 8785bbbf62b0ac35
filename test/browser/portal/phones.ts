import type { BrowserContext, Locator } from 'playwright-core';
import type { PortalGateway } from './gateway.ts';

export interface Person {
  readonly phone: string;
  readonly name: string;
}

/** Opens a virtual phone in a tab of its own. */
export async function takeUpPhone(
  context: BrowserContext,
  gateway: PortalGateway,
  { phone, name }: Person,
): Promise<Locator> {
  const page = await context.newPage();
  await page.goto(`${gateway.url}/portal/sandbox`);
  await page.getByLabel('Left phone').selectOption(phone);
  // With a single phone both sides show it.
  return page.getByRole('region', { name: `Phone of ${name}` }).first();
}

/** Scans the QR shown on the other tab. */
export async function scan(handset: Locator): Promise<void> {
  await handset.getByRole('button', { name: 'Linked devices' }).click();
  await handset.getByRole('button', { name: 'Scan a QR code' }).click();
  await handset.page().getByText('The phone is linked.').waitFor();
}
