import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../until.ts';
import { untilGivenUp } from '../dead-deliveries.ts';
import { bringPhone, makeOwner, type Owner } from '../owners.ts';
import { scan, takeUpPhone } from '../phones.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type TestHarness, visit } from '../visit.ts';

const NUMBER = { phone: '15550003001', name: 'Shop', written: '+1 555 000 3001' };
const FRIEND = { phone: '15550003002', name: 'Friend' };

const inDialog = (page: Page, button: string) =>
  page.getByRole('dialog').getByRole('button', { name: button });

/** One account from its first number to its last key; each check continues where the previous one ended. */
export function storyChecks(harness: TestHarness): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  let owner: Owner;
  let receiver: Receiver;
  let apiKey = '';

  const session = `${NUMBER.phone}@s.whatsapp.net`;

  function askWithKey(method: string, path: string, body?: object): Promise<Response> {
    return fetch(gateway.url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'from-the-browser-tests',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  return {
    'a number is registered with its plan': async () => {
      owner = await makeOwner(gateway, 'Shop');
      for (const person of [NUMBER, FRIEND]) await bringPhone(gateway, owner, person);
      await visit(harness, '/portal/numbers', { as: owner, expects: /400/ }, async (page) => {
        await page.getByRole('button', { name: 'Register a number' }).click();
        await page.getByLabel('Phone number').fill('not a number');
        await page.getByLabel(/^Max/).check();
        await inDialog(page, 'Register a number').click();
        await page.getByRole('alert').getByText('Write it in international form').waitFor();
        await page.getByLabel('Phone number').fill(NUMBER.written);
        await inDialog(page, 'Register a number').click();
        await page.getByRole('heading', { name: NUMBER.written }).waitFor();
        await page.getByText('0 of 50,000').waitFor();
        await page.getByText('Not linked').waitFor();
      });
    },

    'a code is shown instead of a QR on request': () =>
      visit(harness, `/portal/numbers/${NUMBER.phone}`, { as: owner }, async (page) => {
        await page.getByRole('radio', { name: 'Code', exact: true }).check();
        await page.getByRole('button', { name: 'Start' }).click();
        const code = page.getByLabel('Code to type on the phone');
        assert.match((await code.textContent()) ?? '', /^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
        await page.getByText(/^This attempt ends in \d/).waitFor();
        await page.getByRole('button', { name: 'Copy code' }).waitFor();
      }),

    'a sandbox phone in a second tab scans the QR, and the page shows it without a reload': () =>
      visit(harness, `/portal/numbers/${NUMBER.phone}`, { as: owner }, async (page, context) => {
        await page.getByRole('button', { name: 'Start' }).click();
        await page.getByRole('img', { name: 'QR code to scan' }).waitFor();
        await page.evaluate('window.notLoadedAgain = true');
        await scan(await takeUpPhone(context, gateway, NUMBER));
        await page.getByText('The number can send and receive.').waitFor();
        await page.getByText('Connected', { exact: true }).waitFor();
        assert.equal(await page.evaluate('window.notLoadedAgain'), true);
      }),

    'a webhook is set up, its secret shown once, and a test event arrives signed': async () => {
      receiver = await startReceiver();
      await visit(harness, '/portal/webhooks', { as: owner, expects: /400/ }, async (page) => {
        await page.getByRole('button', { name: 'Set up a webhook' }).click();
        const address = page.getByLabel('Address of your receiver');
        await inDialog(page, 'Set up a webhook').click();
        await page.getByRole('alert').getByText('Enter the address').waitFor();
        await address.fill('ftp://receiver.example');
        await inDialog(page, 'Set up a webhook').click();
        await page.locator('.field-error').getByText('messages_url must be').waitFor();
        await page.getByRole('button', { name: 'An address for each kind' }).click();
        assert.equal(await page.getByRole('dialog').getByPlaceholder('https://').count(), 4);
        await page.getByRole('button', { name: 'One address for all' }).click();
        await address.fill(receiver.url);
        await page.getByLabel('Events', { exact: true }).check();
        await inDialog(page, 'Set up a webhook').click();
        await page.getByText(/^whsec_/).waitFor();
        await page.getByRole('button', { name: 'I have copied it' }).click();
        await page.getByRole('heading', { name: 'Delivery log' }).waitFor();
        assert.equal(await page.getByText(/whsec_/).count(), 0);
        await page.getByRole('button', { name: 'Send test event' }).click();
        await inDialog(page, 'Send test event').click();
        await logRow(page, 'Message test', 'Delivered').waitFor();
        assert.equal(receiver.events.length, 1);
      });
    },

    'a key is created, shown once with a command, and sends': () =>
      visit(harness, '/portal/keys', { as: owner }, async (page) => {
        await page.getByRole('button', { name: 'Create a key' }).click();
        await page.getByLabel('Name').fill('Order system');
        await page.getByLabel('Restricted').check();
        await page.getByLabel('Send messages').check();
        await inDialog(page, 'Create a key').click();
        await page.getByRole('heading', { name: 'Your new key' }).waitFor();
        // A secret shown once must survive a key press meant for something else.
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        const [key, command] = await page.getByRole('dialog').locator('pre').allTextContents();
        apiKey = key ?? '';
        assert.match(apiKey, /^pk_/);
        assert.ok(command?.includes(apiKey) && command.includes('/v1/messages'));
        await page.getByRole('button', { name: 'I have copied it' }).click();
        await page.getByRole('cell', { name: 'Order system' }).waitFor();
        assert.equal(await page.getByText(apiKey).count(), 0);
        const answer = await askWithKey('POST', '/v1/messages', {
          session_id: session,
          to: FRIEND.phone,
          text: 'Your order is ready',
        });
        assert.equal(answer.status, 202);
      }),

    'the friend’s answer and the status of the message appear in the delivery log, without texts': () =>
      visit(harness, '/portal/webhooks', { as: owner }, async (page) => {
        await page.getByRole('link', { name: NUMBER.written }).click();
        await gateway.sandbox('POST', `/phones/${FRIEND.phone}/messages`, {
          to: NUMBER.phone,
          text: 'On my way',
        });
        await logRow(page, 'Status', 'Delivered').first().waitFor();
        await logRow(page, 'Receipt', 'Delivered').first().waitFor();
        await page.getByLabel('Search').fill(FRIEND.phone);
        await logRow(page, 'Message', 'Delivered').waitFor();
        await page.getByLabel('From').fill('2099-01-01T00:00');
        await page.getByText('No delivery fits this filter.').waitFor();
        await page.getByRole('button', { name: 'Show all' }).click();
        await page.getByRole('link', { name: 'Message', exact: true }).first().click();
        await page.getByText('[redacted: 9 bytes]').waitFor();
        assert.ok(receiver.events.some(({ text }) => text === 'On my way'));
      }),

    'a test send is followed until it is read, and the answer from a phone in a second tab appears': () =>
      visit(harness, '/portal/test-send', { as: owner }, async (page, context) => {
        await page.getByLabel('To', { exact: true }).fill(FRIEND.phone);
        await page.getByLabel('Text', { exact: true }).fill('Is it raining?');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await page.getByRole('button', { name: /^Next in \d+ s$/ }).waitFor();
        const stages = page.getByRole('log').locator('.stage-done');
        await stages.nth(2).waitFor();
        assert.equal(await stages.count(), 3);

        const handset = await takeUpPhone(context, gateway, FRIEND);
        await handset.getByRole('button', { name: NUMBER.name }).click();
        await handset.getByText('Is it raining?').waitFor();
        await stages.nth(3).waitFor();

        await page.getByRole('link', { name: 'Activity' }).click();
        await page.getByRole('table', { name: 'Events' }).waitFor();
        const before = await page.getByRole('row', { name: /^Text from/ }).count();
        await handset.getByLabel('Message', { exact: true }).fill('Not yet');
        await handset.getByRole('button', { name: 'Send', exact: true }).click();
        await page
          .getByRole('row', { name: /^Text from/ })
          .nth(before)
          .waitFor();
      }),

    'a delivery that fails all attempts is dead, and can be sent again, alone or by period': () =>
      visit(harness, '/portal/webhooks', { as: owner }, async (page) => {
        receiver.answer = () => 500;
        await page.getByRole('link', { name: NUMBER.written }).click();
        await page.getByRole('button', { name: 'Send test event' }).click();
        await inDialog(page, 'Send test event').click();
        await logRow(page, 'Message test', 'Waiting').waitFor();
        await page.getByRole('radio', { name: 'Dead letter' }).check();
        await page.getByRole('heading', { name: 'No dead letters' }).waitFor();
        const log = `${gateway.url}/portal/api${new URL(page.url()).pathname.replace('/portal', '')}/deliveries`;
        await untilGivenUp(gateway, async () =>
          (await page.request.get(`${log}?kind=message&limit=1`)).json(),
        );
        await page.getByRole('link', { name: 'Message test' }).click();
        const attempts = page.locator('.attempts > li');
        await attempts.nth(3).waitFor();
        assert.equal(await attempts.count(), 4);
        await page.getByText('no: 500').last().waitFor();
        receiver.answer = () => 200;
        await page.getByRole('button', { name: 'Deliver again' }).click();
        await page.getByText('Delivered', { exact: true }).waitFor();
        // Going back keeps the filter.
        await page.goBack();
        await page.getByRole('heading', { name: 'No dead letters' }).waitFor();
        const receivedBefore = receiver.events.length;
        await page.getByRole('button', { name: 'Replay' }).click();
        await page
          .getByLabel('What', { exact: true })
          .selectOption('All events of a time range, delivered or dead');
        await page.getByRole('dialog').getByLabel('From').fill('2020-01-01T00:00');
        await inDialog(page, 'Replay').click();
        await page.getByText(/\b(\d+) of \1 delivered again\.\s+The replay is done/).waitFor();
        assert.ok(receiver.events.length > receivedBefore);
      }),

    'sends are counted against the quota': () =>
      visit(harness, `/portal/numbers/${NUMBER.phone}`, { as: owner }, async (page) => {
        await page.getByText('2 of 50,000').waitFor();
      }),

    'a key is rolled with an overlap, and a revoked one is refused at once': () =>
      visit(harness, '/portal/keys', { as: owner }, async (page) => {
        await page.getByRole('button', { name: 'Roll' }).click();
        await inDialog(page, 'Roll').click();
        const rolled = (await page.getByRole('dialog').locator('pre').first().textContent()) ?? '';
        await inDialog(page, 'I have copied it').click();
        const rows = page.getByRole('row', { name: /^Order system/ });
        await rows.nth(1).waitFor();
        const old = apiKey;
        // For a day both keys are valid; neither may read sessions.
        for (apiKey of [old, rolled]) assert.equal((await askWithKey('GET', '/v1/sessions')).status, 403);
        for (let left = 2; left > 0; left--) {
          await page.getByRole('button', { name: 'Revoke' }).first().click();
          await inDialog(page, 'Revoke').click();
          await page
            .getByRole('button', { name: 'Revoke' })
            .nth(left - 1)
            .waitFor({ state: 'detached' });
        }
        await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
        for (apiKey of [old, rolled]) assert.equal((await askWithKey('GET', '/v1/sessions')).status, 401);
      }),

    'the presence policy of the number is chosen by keyboard, and is kept': async () => {
      const path = `/portal/numbers/${NUMBER.phone}`;
      await visit(harness, path, { as: owner }, async (page) => {
        await page.getByRole('radio', { name: 'When needed', checked: true }).focus();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await page.getByText('Never. The owner’s phone shows notifications').waitFor();
      });
      await visit(harness, path, { as: owner }, (page) =>
        page.getByRole('radio', { name: 'Never', checked: true }).waitFor(),
      );
    },

    'an unlinked number can be linked again': async () => {
      await visit(harness, `/portal/numbers/${NUMBER.phone}`, { as: owner }, async (page, context) => {
        await page.getByRole('button', { name: 'Unlink' }).click();
        await page.getByText('it then has a new session id').waitFor();
        await inDialog(page, 'Unlink').click();
        await page.getByRole('button', { name: 'Start' }).click();
        await page.getByRole('img', { name: 'QR code to scan' }).waitFor();
        await scan(await takeUpPhone(context, gateway, NUMBER));
        await page.getByText('The number can send and receive.').waitFor();
      });
    },

    'a number is removed after a list of what is deleted with it; it can be registered again': async () => {
      // Cards of the page may request once more while it closes.
      const visited = { as: owner, expects: /404/ };
      await visit(harness, `/portal/numbers/${NUMBER.phone}`, visited, async (page) => {
        await page.getByRole('button', { name: 'Remove number' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(`the session ${NUMBER.phone}:`).waitFor();
        await dialog.getByText('Its webhook receives events for all of this').waitFor();
        assert.ok(await inDialog(page, 'Remove number').isDisabled());
        await dialog.getByLabel('I understand that this cannot be undone').check();
        await inDialog(page, 'Remove number').click();
        await page.getByText(`${NUMBER.written} is removed.`).waitFor();
        await page.getByRole('heading', { name: 'Numbers' }).waitFor();
        assert.equal(await page.getByRole('link', { name: NUMBER.written }).count(), 0);
        await page.getByRole('button', { name: 'Register a number' }).first().click();
        await page.getByLabel('Phone number').fill(NUMBER.written);
        await page.getByLabel(/^Max/).check();
        await inDialog(page, 'Register a number').click();
        await page.getByText('Not linked').waitFor();
      });
      await until(() => receiver.events.filter(({ event }) => event === 'logged_out').length === 2);
      receiver.close();
    },
  };
}

function logRow(page: Page, event: string, result: string) {
  return page.getByRole('row', { name: new RegExp(`^${event} ${result}`) });
}
