import assert from 'node:assert/strict';
import { WEBHOOK_ATTEMPTS } from '@parley/contract';
import type { Page } from 'playwright-core';
import { until } from '../../until.ts';
import { untilGivenUp } from '../dead-deliveries.ts';
import type { Furnished } from '../furnish.ts';
import { makeOwner, registerNumber } from '../owners.ts';
import { settled } from '../pages.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type TestHarness, visit } from '../visit.ts';
import { judge } from './appearance.ts';

const AS = { as: 'operator' } as const;
const ROWS = 10_000;
const PHONE = '15550006002';

const dialog = (page: Page) => page.getByRole('dialog');
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name }).click();

/** The operator's pages. */
export function operatorChecks(
  harness: TestHarness,
  { owner, phone, troubled }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  let account = '';
  const statusWith = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${gateway.url}/v1/sessions`, { headers })).status;
  };

  return {
    'an account is created, and its page opens': () =>
      visit(harness, '/portal/operator/accounts', AS, async (page) => {
        await page.getByRole('button', { name: 'Create an account' }).click();
        await dialog(page).getByLabel('Name').fill('Harbour Books');
        await dialog(page).getByLabel('E-mail').fill('books@example.com');
        await confirm(page, 'Create an account');
        await page.getByRole('heading', { name: 'Harbour Books', level: 1 }).waitFor();
        account = new URL(page.url()).pathname;
      }),

    'it gets negotiated limits and a number, whose plan changes': () =>
      visit(harness, account, AS, async (page) => {
        await page.getByRole('button', { name: 'Set partner limits' }).click();
        await dialog(page).getByLabel('Messages a minute').fill('120');
        await dialog(page).getByLabel('Messages a period').fill('250000');
        await confirm(page, 'Save');
        await page.getByText('120 a minute, 250,000 a period').waitFor();
        await page.getByRole('button', { name: 'Register a number' }).click();
        const field = dialog(page).getByLabel('Phone number');
        await field.fill('12');
        await confirm(page, 'Save');
        await dialog(page).locator('[aria-invalid][name="phone"]').waitFor();
        await field.fill('+1 555 000 6001');
        await confirm(page, 'Save');
        await page.getByRole('row', { name: /^\+1 555 000 6001 Free Active/ }).waitFor();
        await page.getByRole('table', { name: 'Numbers' }).getByRole('button', { name: 'Change' }).click();
        await dialog(page).getByLabel('Plan').selectOption('Partner');
        await confirm(page, 'Save');
        await page.getByRole('row', { name: /^\+1 555 000 6001 Partner Active/ }).waitFor();
      }),

    'its key is shown once, works for the API, and stops working when it is revoked or the account suspended':
      () =>
        visit(harness, account, AS, async (page) => {
          await page.getByRole('button', { name: 'Create a key' }).click();
          await dialog(page).getByLabel('Name').fill('Till');
          await dialog(page).getByLabel('Full access').check();
          await confirm(page, 'Create a key');
          const key = (await dialog(page).locator('pre').textContent()) ?? '';
          await confirm(page, 'I have copied it');
          assert.equal(await statusWith(key), 200);
          await page.getByRole('button', { name: 'Suspend' }).click();
          await confirm(page, 'Suspend');
          await page.getByRole('button', { name: 'Reactivate' }).waitFor();
          await until(async () => (await statusWith(key)) === 403);
          await page.getByRole('button', { name: 'Reactivate' }).click();
          await page.getByRole('button', { name: 'Suspend' }).waitFor();
          await until(async () => (await statusWith(key)) === 200);
          await page.getByRole('button', { name: 'Revoke' }).click();
          await confirm(page, 'Revoke');
          await page.getByText('This account has no key yet.').waitFor();
          await until(async () => (await statusWith(key)) === 401);
          await page.getByRole('cell', { name: 'Key revoked' }).waitFor();
        }),

    'the audit log lists changes of webhooks and numbers, with their authors': () =>
      visit(harness, `/portal/operator/accounts/${owner.accountId}`, AS, async (page) => {
        for (const entry of [/^Webhook set up API key/, /^Number linked/, /^Number registered Operator/])
          await page.getByRole('row', { name: entry }).first().waitFor();
      }),

    'every number is listed with its link and its worker, and found by its digits': () =>
      visit(harness, '/portal/operator/numbers', AS, async (page) => {
        await page.getByRole('searchbox', { name: 'Search' }).fill('+1 555 000 4001');
        await page
          .getByRole('row', { name: new RegExp(`^\\+1 555 000 4001 ${owner.name} Connected`) })
          .waitFor();
        // One more for the header row.
        await until(async () => (await page.getByRole('table').getByRole('row').count()) === 2);
        await page.getByLabel('State').selectOption('Not linked');
        await page.getByText('No number matches.').waitFor();
      }),

    'ten thousand numbers scroll in the operator’s list too': () =>
      visit(harness, '/portal/operator', AS, async (page) => {
        await page.route('**/operator/v1/devices', async (route) => {
          const { devices } = await (await route.fetch()).json();
          const many = Array.from({ length: ROWS }, (_, index) => ({
            ...devices[0],
            slot_id: `slot_${index}`,
            phone: String(15_550_100_000 + index),
          }));
          await route.fulfill({ json: { devices: many, next_cursor: null } });
        });
        await page.goto(`${gateway.url}/portal/operator/numbers`);
        await page.getByRole('cell', { name: '+1 555 010 0000' }).waitFor();
        assert.ok((await page.getByRole('row').count()) < 100);
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        await page.getByRole('cell', { name: '+1 555 010 9999' }).waitFor();
        assert.ok((await page.getByRole('row').count()) < 100);
      }),

    'a worker shows the sessions that it hosts': () =>
      visit(harness, '/portal/operator/workers', AS, async (page) => {
        await page.getByText('Alive').waitFor();
        await page
          .getByRole('row', { name: new RegExp(`^${phone}:\\d+@s.whatsapp.net Connected`) })
          .waitFor();
      }),

    'failures and throughput have a page each': () =>
      visit(harness, '/portal/operator/trouble', AS, async (page) => {
        await page.getByText('All events of the network could be stored.').waitFor();
        await page
          .getByRole('table', { name: 'Receivers that fail' })
          .getByText(troubled.owner.name)
          .first()
          .waitFor();
        await page.getByRole('link', { name: 'Throughput' }).click();
        await page.getByRole('radio', { name: 'Last month' }).check();
        await page.getByRole('img', { name: /messages accepted, [1-9][\d,]* sent/ }).waitFor();
      }),

    'quarantined input is retried, and removed after it was stored': () =>
      visit(harness, '/portal/operator/trouble', AS, async (page) => {
        const entry = {
          quarantine_id: 'qua_1',
          account_id: 'acc_gone',
          phone,
          kind: 'message',
          reason: 'too deep',
          size: 412,
          quarantined_at: '2026-07-18T12:00:00.000Z',
        };
        const tries = [{ stored: false, reason: 'still too deep' }];
        let isThere = true;
        await page.route('**/operator/v1/quarantine?*', (route) =>
          route.fulfill({ json: { entries: isThere ? [entry] : [] } }),
        );
        await page.route('**/operator/v1/quarantine/qua_1/retry', (route) => {
          const answer = tries.shift() ?? { stored: true, reason: null };
          isThere = !answer.stored;
          return route.fulfill({ json: answer });
        });
        await page.reload();
        const row = page.getByRole('row', { name: /^message acc_gone/ });
        await row.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('It could not be stored this time either: still too deep').waitFor();
        await judge(page);
        await row.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('All events of the network could be stored.').waitFor();
        assert.equal(await page.getByText('this time either').count(), 0);
      }),

    'what the network sends and the gateway does not understand is listed by kind': () =>
      visit(harness, '/portal/operator/trouble', AS, async (page) => {
        await page.getByText('Everything that the network sent is understood.').waitFor();
        const at = '2026-07-18T12:00:00.000Z';
        const entry = {
          part: 'notification',
          name: 'companion_check',
          count: 3,
          first_seen_at: at,
          last_seen_at: at,
          sample: 'notification[from id t type](check[code])',
        };
        await page.route('**/operator/v1/drift', (route) => route.fulfill({ json: { entries: [entry] } }));
        await page.reload();
        await page.getByRole('row', { name: /^Notification companion_check 3 notification\[from/ }).waitFor();
        await judge(page);
      }),

    'a dead delivery is counted, shown, and sent again': async () => {
      const receiver = await startReceiver();
      receiver.answer = () => 500;
      await killDelivery(receiver);
      receiver.answer = () => 200;
      await visit(harness, '/portal/operator', AS, async (page) => {
        await page.getByRole('link', { name: 'Show them' }).click();
        await page.getByRole('row', { name: /^Message Silent receiver .* 500/ }).waitFor();
        await page.getByRole('button', { name: 'Message', exact: true }).first().click();
        await dialog(page).getByText(receiver.url).waitFor();
        await confirm(page, 'Deliver again');
        await page.getByText('It is in the queue again.').waitFor();
        await page.getByRole('row', { name: /^Message Silent receiver/ }).waitFor({ state: 'detached' });
        await until(() => receiver.events.length > WEBHOOK_ATTEMPTS);
      });
      receiver.close();
    },
  };

  /** A sample that the receiver refuses until the gateway gives it up. */
  async function killDelivery({ url }: Receiver): Promise<void> {
    const silent = await makeOwner(gateway, 'Silent receiver');
    await registerNumber(gateway, silent, PHONE);
    const keys = `/accounts/${silent.accountId}/api-keys`;
    const { api_key } = await gateway.operator<{ api_key: string }>('POST', keys, { name: 'Tests' });
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    async function ask<T>(path: string, body?: object): Promise<T> {
      const request = body && { method: 'POST', body: JSON.stringify(body) };
      const text = await (await fetch(gateway.url + path, { headers, ...request })).text();
      return JSON.parse(text);
    }
    const session_id = `${PHONE}@s.whatsapp.net`;
    const { id } = await ask<{ id: string }>('/v1/webhooks', { session_id, messages_url: url });
    await ask(`/v1/webhooks/${id}/test`, { category: 'messages' });
    await untilGivenUp(gateway, () => ask(`/v1/webhooks/${id}/deliveries`));
  }
}

/** Last of all, because every account has terms to accept afterwards. */
export const publishChecks = (harness: TestHarness): Record<string, () => Promise<void>> => ({
  'the operator publishes terms, and sees who has accepted them': () =>
    visit(harness, '/portal/operator/terms', { ...AS, expects: /409/ }, async (page) => {
      await settled(page);
      await page.getByRole('row', { name: /^2026-07 In force/ }).waitFor();
      for (const version of ['2026-07', '2026-08', '2026-09']) {
        await page.getByRole('button', { name: 'Publish a version' }).first().click();
        await dialog(page).getByLabel('Version').fill(version);
        await dialog(page).getByLabel('Address of the text').fill('https://example.com/terms');
        await dialog(page)
          .getByLabel('Take effect')
          .selectOption(version === '2026-09' ? '30' : 'now');
        await confirm(page, 'Publish a version');
        if (version !== '2026-07') continue;
        await dialog(page).getByRole('alert').waitFor();
        await confirm(page, 'Cancel');
      }
      await page.getByRole('row', { name: /^2026-09 Announced 0/ }).waitFor();
      await page.getByRole('row', { name: /^2026-08 In force 0 of \d+ accounts/ }).waitFor();
      await page.getByRole('row', { name: /^2026-07 Earlier [1-9]/ }).waitFor();
      await judge(page);
    }),
});
