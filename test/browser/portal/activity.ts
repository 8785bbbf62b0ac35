import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import type { Furnished } from './furnish.ts';
import { type TestHarness, visit } from './visit.ts';

const FRIEND = '15550004101';
const STRANGER = { phone: '15550004103', name: 'Stranger' };

/** What happens on the numbers, seen while it happens. */
export function activityChecks(
  harness: TestHarness,
  { owner, phone }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  const newestMessage = async (page: Page): Promise<unknown> =>
    (await page.request.get(`${gateway.url}/portal/api/events?kind=message&limit=1`)).json();
  return {
    'what happens appears on top by itself, without its words': () =>
      visit(harness, '/portal/activity', { as: owner }, async (page) => {
        await page.getByText('Live', { exact: true }).waitFor();
        const texts = page.getByRole('button', { name: /^Text from/ });
        await texts.first().waitFor();
        const before = await texts.count();
        await gateway.sandbox('POST', `/phones/${FRIEND}/messages`, { to: phone, text: 'seen by nobody' });
        await texts.nth(before).waitFor();
        await texts.first().click();
        const payload = page.getByRole('dialog').locator('pre');
        assert.match((await payload.textContent()) ?? '', /\[redacted: 14 bytes\]/);
      }),

    'what happens before the page is live is not missed': () =>
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
        // By number: the name is between them and the account's own systems.
        await page.getByRole('button', { name: /^Text from .*4103/ }).waitFor();
      }),

    'one kind can be looked at alone': () =>
      visit(harness, '/portal/activity', { as: owner }, async (page) => {
        await page
          .getByRole('button', { name: /^Text from/ })
          .first()
          .waitFor();
        await page.getByLabel('Kind').selectOption('Call');
        await page
          .getByRole('button', { name: /^Text from/ })
          .first()
          .waitFor({ state: 'detached' });
        const calls = `/phones/${FRIEND}/calls`;
        const { call_id } = await gateway.sandbox<{ call_id: string }>('POST', calls, {
          to: phone,
          video: true,
        });
        try {
          await page
            .getByRole('button', { name: /^Video call from/ })
            .first()
            .waitFor();
        } finally {
          // A phone that rings shows nothing else, to whoever takes it up later.
          await gateway.sandbox('POST', `${calls}/${call_id}/terminate`, {});
        }
        await page
          .getByRole('button', { name: /^Call from .* ended$/ })
          .first()
          .waitFor();
      }),

    'what was sent is listed with how far it came, and counted by day': () =>
      visit(harness, '/portal/activity', { as: owner }, async (page) => {
        await page.getByRole('img', { name: /messages accepted, \d+ delivered, 0 failed/ }).waitFor();
        await page.getByRole('radio', { name: 'Sent messages' }).check();
        await page
          .getByRole('row', { name: /^\+1 555 000 4101 text (Delivered|Read)/ })
          .first()
          .waitFor();
        await page.getByLabel('Status').selectOption('Failed');
        await page.getByText('Nothing of this kind yet.').waitFor();
      }),
  };
}
