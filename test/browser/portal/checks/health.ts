import assert from 'node:assert/strict';
import { createSystemClock } from '@parley/gateway/kernel';
import type { Furnished } from '../furnish.ts';
import { type TestHarness, visit } from '../visit.ts';

const DAY_SECONDS = 86_400;

/** Restrictions of a number by the network, on the pages of its owner and of the operator. */
export function healthChecks(
  harness: TestHarness,
  { owner, phone }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  const page = `/portal/numbers/${phone}`;

  return {
    'a healthy number shows its health, its month and its quota': async () => {
      await gateway.sandbox('POST', `/phones/${phone}/cap`, { quota: 40, used: 10 });
      await visit(harness, page, { as: owner }, async (tab) => {
        const card = tab.getByRole('region', { name: 'Health' });
        await card.getByText('Healthy', { exact: true }).waitFor();
        await card.getByText('10 of 40').waitFor();
        await card.getByRole('img', { name: /^In 30 days \d+ messages were sent/ }).waitFor();
      });
    },

    'a device that was linked elsewhere is named, with what to do': () =>
      visit(harness, page, { as: owner }, async (tab) => {
        const linked = {
          cursor: '1',
          kind: 'device_linked',
          phone,
          at_unix: Math.floor(createSystemClock().now() / 1_000) - 60,
          event: { kind: 'device_linked', devices: 3, added: [{ device: 7 }] },
        };
        await tab.route('**/portal/api/events?*kind=device_linked*', (route) =>
          route.fulfill({ json: { events: [linked] } }),
        );
        await tab.reload();
        await tab.getByText(/^A device that the gateway did not link was linked to this number/).waitFor();
      }),

    'a restriction appears live, with its end and the advice': () =>
      visit(harness, page, { as: owner }, async (tab) => {
        const card = tab.getByRole('region', { name: 'Health' });
        await card.getByText('Healthy', { exact: true }).waitFor();
        const lock = { type: 'RESTRICT_ALL_COMPANIONS', for_s: DAY_SECONDS };
        await gateway.sandbox('POST', `/phones/${phone}/restrict`, lock);
        await card.getByText('Restricted', { exact: true }).waitFor();
        await card.getByText(/The network lets it begin no new chats\. It ends on/).waitFor();
        await card.getByText(/^Sends to new people are held back until/).waitFor();
        await card.getByText('Begin no new chats with this number').waitFor();
      }),

    'it comes first when numbers are sorted by health': () =>
      visit(harness, '/portal/numbers', { as: owner }, async (tab) => {
        await tab.getByRole('radio', { name: 'Worst first' }).check();
        const [first] = await tab.getByRole('article').allInnerTexts();
        assert.match(first ?? '', /Restricted/);
      }),

    'the operator sees it among the numbers in trouble': () =>
      visit(harness, '/portal/operator', { as: 'operator' }, async (tab) => {
        const card = tab.getByRole('region', { name: 'Numbers in trouble' });
        await card.getByRole('link', { name: 'Show them' }).first().click();
        await tab.getByRole('row', { name: /Restricted/ }).waitFor();
      }),

    'its pacing is set by its owner, and invalid values are refused with the reason': () =>
      visit(harness, page, { as: owner, expects: /400 \(Bad Request\)/ }, async (tab) => {
        await tab.getByRole('button', { name: 'Change pacing' }).click();
        const dialog = tab.getByRole('dialog');
        await dialog.getByLabel('New chats a day at most').fill('40');
        await dialog.getByLabel('Shortest pause').fill('9');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText('gap_min_seconds must be at most gap_max_seconds').waitFor();
        await dialog.getByLabel('Longest pause').fill('12');
        await dialog.getByLabel('Longest pause').press('Enter');
        await tab.getByText('At most 40 new chats a day').waitFor();
        await tab.getByText('Pauses of 9 to 12 seconds between people').waitFor();
      }),

    'it is healthy again after the network lifts the restriction': () =>
      visit(harness, page, { as: owner }, async (tab) => {
        await gateway.sandbox('POST', `/phones/${phone}/restrict`, { type: 'DEFAULT', for_s: 0 });
        await tab.getByRole('region', { name: 'Health' }).getByText('Healthy', { exact: true }).waitFor();
      }),
  };
}
