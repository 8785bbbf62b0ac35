import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../until.ts';
import type { Furnished } from '../furnish.ts';
import { type TestHarness, visit } from '../visit.ts';

const FRIEND = '15550004101';
const STRANGER = { phone: '15550004103', name: 'Stranger' };

/** Events of the numbers, shown live. */
export function activityChecks(
  harness: TestHarness,
  { owner, phone }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  const newestMessage = async (page: Page): Promise<unknown> =>
    (await page.request.get(`${gateway.url}/portal/api/events?kind=message&limit=1`)).json();
  return {
    'new events appear on top, without message texts': () =>
      visit(harness, '/portal/activity', { as: owner }, async (page, context) => {
        await page.getByText('Live', { exact: true }).waitFor();
        const texts = page.getByRole('link', { name: /^Text from/ });
        await texts.first().waitFor();
        const before = await texts.count();
        await gateway.sandbox('POST', `/phones/${FRIEND}/messages`, {
          to: phone,
          text: 'seen before the page is live',
        });
        await texts.nth(before).waitFor();
        const inNewTab = context.waitForEvent('page');
        await texts.first().click({ modifiers: ['ControlOrMeta'] });
        const opened = await inNewTab;
        await opened.getByRole('heading', { name: /^Text from/, level: 1 }).waitFor();
        assert.match((await opened.locator('pre').first().textContent()) ?? '', /\[redacted: 28 bytes\]/);
        // The event went to the webhook; its delivery is one click away.
        await opened
          .getByRole('table', { name: 'Deliveries to your webhook' })
          .getByRole('link')
          .first()
          .click();
        await opened.getByRole('heading', { name: 'Attempts' }).waitFor();
      }),

    'events before the page is live are shown': () =>
      visit(harness, '/portal/sign-in', { as: owner }, async (page) => {
        const late = Promise.withResolvers<void>();
        await page.route('**/portal/api/events/stream', async (route) => {
          await late.promise;
          await route.continue();
        });
        await page.goto(`${gateway.url}/portal/activity`);
        await page.getByRole('table', { name: 'Events' }).waitFor();
        await gateway.sandbox('POST', '/phones', STRANGER);
        await gateway.sandbox('POST', `/phones/${STRANGER.phone}/messages`, { to: phone, text: 'too early' });
        await until(async () => JSON.stringify(await newestMessage(page)).includes(STRANGER.phone));
        late.resolve();
        // By number: the contact's name is known to the account only.
        await page.getByRole('link', { name: /^Text from .*4103/ }).waitFor();
      }),

    'events can be filtered by kind': () =>
      visit(harness, '/portal/activity', { as: owner }, async (page) => {
        await page
          .getByRole('link', { name: /^Text from/ })
          .first()
          .waitFor();
        await page.getByLabel('Kind').selectOption('Call');
        await page
          .getByRole('link', { name: /^Text from/ })
          .first()
          .waitFor({ state: 'detached' });
        const calls = `/phones/${FRIEND}/calls`;
        const { call_id } = await gateway.sandbox<{ call_id: string }>('POST', calls, {
          to: phone,
          video: true,
        });
        try {
          await page
            .getByRole('link', { name: /^Video call from/ })
            .first()
            .waitFor();
        } finally {
          // A ringing phone hides all else, also from a later test that opens it.
          await gateway.sandbox('POST', `${calls}/${call_id}/terminate`, {});
        }
        await page
          .getByRole('link', { name: /^Call from .* ended$/ })
          .first()
          .waitFor();
      }),

    'a message is found by its recipient; its page shows its history, and links to the delivery of its event':
      () =>
        visit(harness, '/portal/messages', { as: owner }, async (page) => {
          const table = page.getByRole('table', { name: 'Sent messages' });
          await table.getByRole('link').first().waitFor();
          await page.getByLabel('Status').selectOption('Failed');
          await page.getByText('No message fits this filter.').waitFor();
          await page.getByRole('button', { name: 'Show all' }).click();
          await page.getByLabel('Search').fill('+1 555 000 4102');
          await until(() => page.url().includes('search='));
          await page.reload();
          assert.equal(await page.getByLabel('Search').inputValue(), '+1 555 000 4102');
          await table
            .getByRole('row', { name: /^\+1 555 000 4102 (Delivered|Read) text/ })
            .first()
            .waitFor();
          assert.equal(await table.getByRole('link', { name: '+1 555 000 4101' }).count(), 0);
          await table.getByRole('link').first().click();
          await page.getByRole('heading', { name: 'Message · text', level: 1 }).waitFor();
          const steps = page.getByRole('listitem').filter({ has: page.locator('strong') });
          assert.deepEqual((await steps.locator('strong').allTextContents()).slice(0, 3), [
            'Accepted',
            'Sent',
            'Delivered',
          ]);
          await page
            .getByRole('table', { name: 'Deliveries to your webhook' })
            .getByRole('link')
            .first()
            .click();
          await page.getByRole('heading', { name: 'Attempts' }).waitFor();
          await page.goBack();
          await page.goBack();
          await page.getByRole('radio', { name: 'Received' }).check();
          await page.getByRole('table', { name: 'Received messages' }).getByRole('link').first().waitFor();
        }),

    'sent and received messages are counted by day and by number, and saved as CSV': () =>
      visit(harness, '/portal/statistics', { as: owner }, async (page) => {
        await page.getByRole('img', { name: /messages accepted, \d+ delivered, 0 failed/ }).waitFor();
        await page.getByRole('img', { name: /^[1-9]\d* messages received/ }).waitFor();
        await page
          .getByRole('table', { name: 'By number' })
          .getByRole('row', { name: /^\+1 555 000 4001 .*[1-9]\d*$/ })
          .waitFor();
        const csv = await page.getByRole('link', { name: 'Save as CSV' }).getAttribute('href');
        const saved = await (await page.request.get(`${gateway.url}${csv}`)).text();
        assert.match(saved, /^date,phone,accepted,sent,delivered,failed,received\r\n/);
        assert.match(saved, new RegExp(`,${phone},[1-9]`));
      }),
  };
}
