import assert from 'node:assert/strict';
import { WEBHOOK_FAILING_MAIL_SECONDS } from '@parley/contract';
import type { APIRequestContext, Page } from 'playwright-core';
import { until } from '../../until.ts';
import { untilGivenUp } from '../dead-deliveries.ts';
import { makeOwner, type Owner, registerNumber } from '../owners.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type TestHarness, visit } from '../visit.ts';
import { judge } from './appearance.ts';

const HEADERS = { 'X-Parley-Portal': '1' };
/** Failures in a row after which the owner is notified. */
const FAILURES = 3;

const inDialog = (page: Page, button: string) =>
  page.getByRole('dialog').getByRole('button', { name: button });

/** Undelivered events: how the owner finds the cause, and what they do about it. */
export function receiverChecks(harness: TestHarness): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  let phones = 15_550_008_000;

  async function must<T>(api: APIRequestContext, path: string, data: object): Promise<T> {
    const answer = await api.post(`${gateway.url}/portal/api${path}`, { headers: HEADERS, data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  }

  /** An owner whose only webhook goes to `url`, with some events in delivery. */
  async function withWebhook(url: string): Promise<{ owner: Owner; webhookId: string }> {
    const owner = await makeOwner(gateway, 'Till');
    const phone = String(++phones);
    await registerNumber(gateway, owner, phone);
    let webhookId = '';
    await visit(harness, '/portal/numbers', { as: owner }, async ({ request: api }) => {
      ({ id: webhookId } = await must<{ id: string }>(api, `/numbers/${phone}/webhook`, {
        messages_url: url,
      }));
      for (let each = 0; each < FAILURES; each++) await must(api, `/webhooks/${webhookId}/test`, {});
    });
    return { owner, webhookId };
  }

  const isFailing = (page: Page) =>
    until(async () => {
      const answer = await page.request.get(`${gateway.url}/portal/api/failing-receivers`);
      return (await answer.json()).receivers.length > 0;
    });

  /** Opens an unrelated page, sees the banner, and follows it to the explanation. */
  const findOutWhy = (owner: Owner, title: RegExp, step: RegExp, then?: (page: Page) => Promise<void>) =>
    visit(harness, '/portal/keys', { as: owner }, async (page) => {
      await isFailing(page);
      await page.reload();
      await page.getByRole('link', { name: 'Find out why' }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText(step).waitFor();
      await page.getByText('Failing', { exact: true }).waitFor();
      for (const fact of ['Failing since', 'Next attempt', 'Oldest waits since'])
        await page.getByText(fact, { exact: true }).waitFor();
      await then?.(page);
    });

  let moody: Receiver;
  let ofMoody: { owner: Owner; webhookId: string };
  let ofLost: { owner: Owner; webhookId: string };

  return {
    'the banner leads to the page that explains why events do not arrive: a wrong secret, a lost name, a slow receiver':
      async () => {
        const slow = await startReceiver();
        slow.answer = () => undefined;
        moody = await startReceiver();
        moody.answer = () => 401;
        // The slow one first: it takes time until it counts as slow.
        const ofSlow = await withWebhook(slow.url);
        ofMoody = await withWebhook(moody.url);
        ofLost = await withWebhook('http://gone.invalid/hooks');
        await findOutWhy(ofMoody.owner, /refuses our requests \(401\)/, /Compare the signing secret/, judge);
        await findOutWhy(ofLost.owner, /gone\.invalid leads nowhere/, /Ask the DNS/);
        await findOutWhy(ofSlow.owner, /is too slow/, /Answer 200 as soon as the event is stored/);
        slow.close();
      },

    'a delivery is found, opened, attempted early and repeated; its filters stay in the address': () =>
      visit(harness, `/portal/webhooks/${ofMoody.webhookId}`, { as: ofMoody.owner }, async (page) => {
        const table = page.getByRole('table', { name: 'Delivery log' });
        await table
          .getByRole('link')
          .nth(FAILURES - 1)
          .waitFor();
        await page.getByLabel('Search').fill('503');
        await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
        await page.getByRole('button', { name: 'Show all' }).click();
        await until(async () => (await page.getByLabel('Search').inputValue()) === '');
        await page.getByLabel('Search').fill('401');
        await table.getByRole('link').first().waitFor();
        await until(() => page.url().endsWith('?search=401'));
        await page.reload();
        assert.equal(await page.getByLabel('Search').inputValue(), '401');
        await table.getByRole('link').first().click();
        await page.getByRole('heading', { name: /refuses our requests/ }).waitFor();
        await page.getByText('no: 401').waitFor();
        await page.getByText('X-Message-ID: test_').waitFor();
        await page.emulateMedia({ media: 'print' });
        assert.ok(await page.getByRole('button', { name: 'Try now' }).isHidden());
        assert.ok(await page.getByText('no: 401').isVisible());
        await page.emulateMedia({ media: 'screen' });
        moody.answer = () => 200;
        await page.getByRole('button', { name: 'Try now' }).click();
        await page.getByText('Delivered', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Webhook', exact: true }).click();
        await page.getByText('Active', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Find out why' }).waitFor({ state: 'detached' });
      }),

    'a paused webhook keeps its events, switching one off asks first, and dead deliveries are replayed with progress':
      () =>
        visit(harness, `/portal/webhooks/${ofMoody.webhookId}`, { as: ofMoody.owner }, async (page) => {
          await gateway.sandbox('POST', '/clock', { advance_seconds: 60 });
          await page
            .getByRole('row', { name: /Waiting/ })
            .first()
            .waitFor({ state: 'detached' });
          await page.getByRole('button', { name: 'Pause' }).click();
          await inDialog(page, 'Pause').click();
          await page.getByText('What happens is kept for 3 days').waitFor();
          const receivedBefore = moody.events.length;
          await page.getByRole('button', { name: 'Send test event' }).click();
          await page.getByRole('dialog').getByLabel('Kind of event').selectOption('message');
          await inDialog(page, 'Send test event').click();
          await page.getByRole('row', { name: /^Message test Waiting/ }).waitFor();
          assert.equal(moody.events.length, receivedBefore);
          await page.getByRole('button', { name: 'Resume' }).click();
          await page.getByRole('row', { name: /Waiting/ }).waitFor({ state: 'detached' });
          assert.equal(moody.events.length, receivedBefore + 1);

          await page.getByRole('button', { name: 'Pause' }).click();
          await page.getByLabel('Events meanwhile').selectOption('discard');
          assert.ok(await inDialog(page, 'Switch off').isDisabled());
          await page.getByLabel('I know that these events are lost').check();
          await inDialog(page, 'Switch off').click();
          await page.getByText('never reaches this webhook').waitFor();
          await page.getByRole('button', { name: 'Switch on' }).click();
          await page.getByText('Active', { exact: true }).waitFor();

          moody.answer = () => 500;
          await page.getByRole('button', { name: 'Send test event' }).click();
          await inDialog(page, 'Send test event').click();
          const newest = `${gateway.url}/portal/api/webhooks/${ofMoody.webhookId}/deliveries?limit=1`;
          await page.getByRole('row', { name: /Waiting/ }).waitFor();
          await untilGivenUp(gateway, async () => (await page.request.get(newest)).json());
          moody.answer = () => 200;
          await page.getByRole('button', { name: 'Replay' }).click();
          await inDialog(page, 'Replay').click();
          await page.getByText('1 of 1 delivered again. The replay is done.').waitFor();
          moody.close();
        }),

    'after an hour of failures only, a mail links to the page that explains them': async () => {
      await gateway.sandbox('POST', '/clock', { advance_seconds: WEBHOOK_FAILING_MAIL_SECONDS });
      const { text } = await until(() =>
        gateway.mail.mails.find(
          ({ to, text }) => to.includes(ofLost.owner.email) && text.includes('gone.invalid'),
        ),
      );
      const link = /https?:\/\/\S+\/portal\/\S+/.exec(text)?.[0] ?? '';
      await visit(harness, new URL(link).pathname, { as: ofLost.owner }, (page) =>
        page.getByRole('heading', { name: /gone\.invalid leads nowhere/ }).waitFor(),
      );
    },

    'a page that cannot be loaded shows an error, then loads without a click; a new build is loaded once':
      () =>
        visit(
          harness,
          '/portal/webhooks',
          { as: ofMoody.owner, expects: /ERR_FAILED|404|dynamically|preload/ },
          async (page) => {
            await page.getByRole('link', { name: 'Activity' }).waitFor();
            await page.route('**/portal/**', (route) => route.abort());
            await page.getByRole('link', { name: 'Activity' }).click();
            await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
            await page.unroute('**/portal/**');
            await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();

            // As after an upgrade: the files that this tab refers to are gone for good.
            let documents = 0;
            await page.route('**/portal/assets/keys-*', (route) => route.fulfill({ status: 404 }));
            page.on('request', (request) => {
              if (request.isNavigationRequest()) documents += 1;
            });
            await page.getByRole('link', { name: 'API keys' }).click();
            await page.getByRole('heading', { name: 'This page ran into a problem' }).waitFor();
            assert.equal(documents, 1);
            await page.unroute('**/portal/assets/keys-*');
            await page.getByRole('button', { name: 'Load again' }).click();
            await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
          },
        ),
  };
}
