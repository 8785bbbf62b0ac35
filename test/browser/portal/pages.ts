import type { Page } from 'playwright-core';
import { FRIENDS, type Furnished } from './furnish.ts';
import type { Person } from './phones.ts';
import type { VisitOptions } from './visit.ts';

export interface PortalPage {
  /** File name of its screenshots. */
  readonly name: string;
  readonly path: string;
  readonly as?: VisitOptions['as'];
  readonly expects?: VisitOptions['expects'];
  /** For print, which has one width and one colour. */
  readonly isPrinted?: true;
  /** Opens further content of the page. */
  readonly use?: (page: Page) => Promise<void>;
}

/** A sheet of A4 at 96 dots per inch; the height only as an invoice needs. */
const PAPER = { width: 794, height: 560 };

/** Every page, each with content. */
export function pagesOf(furnished: Furnished): readonly PortalPage[] {
  const { owner, phone, spare, webhookId, invoiceId, troubled, newcomer, suspended } = furnished;
  const [mina, jonas] = FRIENDS;
  return [
    { name: 'sign-in', path: '/portal' },
    {
      name: 'sign-up',
      path: '/portal',
      use: (page) => page.getByRole('button', { name: 'Create an account' }).click(),
    },
    { name: 'recover', path: '/portal/recover' },
    { name: 'team', path: '/portal/team', as: owner },
    { name: 'security', path: '/portal/security', as: owner },
    {
      name: 'account',
      path: '/portal/account',
      as: owner,
      use: async (page) => {
        const archive = page.getByRole('link', { name: 'Download' });
        if ((await archive.count()) === 0)
          await page.getByRole('button', { name: 'Prepare an archive' }).click();
        await archive.first().waitFor();
      },
    },
    { name: 'operator-sign-in', path: '/portal/operator' },
    { name: 'suspended', path: '/portal/numbers', as: suspended },
    {
      name: 'unreachable',
      path: '/portal/numbers',
      as: owner,
      expects: /ERR_FAILED/,
      use: async (page) => {
        await page.route('**/portal/api/**', (route) => route.abort());
        await page.reload();
        await page.getByText('The gateway does not answer').waitFor();
      },
    },
    { name: 'first-number', path: '/portal/numbers', as: newcomer },
    { name: 'numbers', path: '/portal/numbers', as: owner },
    {
      name: 'register',
      path: '/portal/numbers',
      as: owner,
      use: (page) => page.getByRole('button', { name: 'Register a number' }).click(),
    },
    { name: 'number', path: `/portal/numbers/${phone}`, as: owner },
    {
      name: 'pairing',
      path: `/portal/numbers/${spare}`,
      as: owner,
      use: async (page) => {
        await page.getByRole('button', { name: 'Start' }).click();
        await page.getByRole('img', { name: 'QR code to scan' }).waitFor();
      },
    },
    {
      name: 'chats',
      path: `/portal/numbers/${phone}/chats/${mina.phone}%40s.whatsapp.net`,
      as: owner,
      use: async (page) => {
        await page.getByRole('list', { name: 'Messages' }).waitFor();
        await page.getByRole('img', { name: 'File (png)' }).waitFor();
      },
    },
    {
      name: 'plan',
      path: `/portal/numbers/${spare}`,
      as: owner,
      use: async (page) => {
        await page.getByRole('button', { name: 'Change plan' }).click();
        await page.getByRole('radio', { name: /^Free/ }).check();
        await page.getByText('It can no longer send').waitFor();
      },
    },
    {
      name: 'remove-number',
      path: `/portal/numbers/${phone}`,
      as: owner,
      use: async (page) => {
        await page.getByRole('button', { name: 'Remove number' }).click();
        await page.getByText('Its webhook receives events for all of this').waitFor();
      },
    },
    { name: 'billing', path: '/portal/billing', as: owner },
    { name: 'invoice', path: `/portal/billing/${invoiceId}`, as: owner },
    {
      name: 'invoice-print',
      path: `/portal/numbers/${phone}/invoices/${invoiceId}`,
      as: owner,
      isPrinted: true,
      use: async (page) => {
        await page.setViewportSize(PAPER);
        await page.emulateMedia({ media: 'print' });
      },
    },
    { name: 'keys', path: '/portal/keys', as: owner },
    {
      name: 'new-key',
      path: '/portal/keys',
      as: owner,
      use: (page) => page.getByRole('button', { name: 'Create a key' }).click(),
    },
    { name: 'webhooks', path: '/portal/webhooks', as: owner },
    { name: 'webhook', path: `/portal/webhooks/${webhookId}`, as: owner },
    { name: 'webhook-failing', path: `/portal/webhooks/${troubled.webhookId}`, as: troubled.owner },
    {
      name: 'delivery',
      path: `/portal/webhooks/${webhookId}?status=dead`,
      as: owner,
      use: async (page) => {
        await page
          .getByRole('link', { name: /^Connection/ })
          .first()
          .click();
        await page.getByText('no: 500').last().waitFor();
      },
    },
    {
      name: 'test-send',
      path: '/portal/test-send',
      as: owner,
      use: async (page) => {
        await furnished.waitForTurn();
        await page.getByLabel('To', { exact: true }).fill(mina.phone);
        await page.getByLabel('Text', { exact: true }).fill('Your order is ready.');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await page.locator('.stage-done').nth(2).waitFor();
      },
    },
    { name: 'requests', path: '/portal/requests', as: owner },
    { name: 'activity', path: '/portal/activity', as: owner },
    {
      name: 'event',
      path: '/portal/activity',
      as: owner,
      use: async (page) => {
        await page
          .getByRole('link', { name: /^Text from/ })
          .first()
          .click();
        await page.getByRole('heading', { name: 'Payload' }).waitFor();
      },
    },
    { name: 'messages', path: '/portal/messages', as: owner },
    {
      name: 'message',
      path: '/portal/messages',
      as: owner,
      use: async (page) => {
        const table = page.getByRole('table', { name: 'Sent messages' });
        await table.getByRole('link').first().click();
        await page.getByRole('table', { name: 'Deliveries to your webhook' }).waitFor();
      },
    },
    { name: 'statistics', path: '/portal/statistics', as: owner },
    {
      name: 'sandbox',
      path: '/portal/sandbox',
      as: owner,
      use: async (page) => {
        await takeUp(page, 'Left phone', mina);
        // A narrow screen has room for one phone.
        if (await page.getByLabel('Right phone').isVisible()) await takeUp(page, 'Right phone', jonas);
      },
    },
    { name: 'operator', path: '/portal/operator', as: 'operator' },
    { name: 'operator-accounts', path: '/portal/operator/accounts', as: 'operator' },
    { name: 'operator-account', path: `/portal/operator/accounts/${owner.accountId}`, as: 'operator' },
    { name: 'operator-numbers', path: '/portal/operator/numbers', as: 'operator' },
    { name: 'operator-trouble', path: '/portal/operator/trouble', as: 'operator' },
    {
      name: 'operator-throughput',
      path: '/portal/operator/throughput',
      as: 'operator',
      use: async (page) => {
        await page.getByRole('radio', { name: 'Last month' }).check();
        await page.getByRole('img', { name: /messages accepted/ }).waitFor();
      },
    },
    { name: 'operator-workers', path: '/portal/operator/workers', as: 'operator' },
    { name: 'operator-billing', path: '/portal/operator/billing', as: 'operator' },
    { name: 'operator-dead-letters', path: '/portal/operator/dead-letters', as: 'operator' },
    // Last, because each visit leaves a key behind.
    {
      name: 'key-shown',
      path: '/portal/keys',
      as: owner,
      use: async (page) => {
        await page.getByRole('button', { name: 'Create a key' }).click();
        await page.getByLabel('Name').fill('Till');
        await page.getByLabel('Number').selectOption(phone);
        await page.getByLabel('Full access').check();
        await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
        await page.getByText('I have copied it').waitFor();
      },
    },
  ];
}

/** Pages in front of which the terms of service appear, once there are any. */
export function termsPagesOf({ owner }: Furnished): readonly PortalPage[] {
  return [
    { name: 'terms', path: '/portal/numbers', as: owner },
    { name: 'operator-terms', path: '/portal/operator/terms', as: 'operator' },
  ];
}

async function takeUp(
  page: Page,
  side: 'Left phone' | 'Right phone',
  { phone, name }: Person,
): Promise<void> {
  await page.getByLabel(side).selectOption(phone);
  // The other side may still show the same phone.
  const shown = page.getByRole('region', { name: `Phone of ${name}` });
  const handset = side === 'Left phone' ? shown.first() : shown.last();
  await handset.getByRole('button', { name: 'Blue Kiosk' }).click();
  await handset.getByLabel('Message', { exact: true }).waitFor();
}

/** Waits for requests in flight. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** Waits for the last change to be painted. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
