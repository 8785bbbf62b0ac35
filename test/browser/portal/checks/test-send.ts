import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../../until.ts';
import type { Furnished } from '../furnish.ts';
import { type TestHarness, visit } from '../visit.ts';

const FRIEND = '15550004101';

const journeyAt = (page: Page, done: number) =>
  page.locator('.journey').first().locator(`.stages:has(> .stage-done:nth-child(${done}))`);

interface Seen {
  readonly message_id: string;
  readonly type: string;
  readonly text: string;
}

/** Any kind of message, by a form generated from its schema. */
export function testSendChecks(
  harness: TestHarness,
  { owner, phone }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  const newest = async (): Promise<Seen | undefined> => {
    const { messages } = await gateway.sandbox<{ messages: Seen[] }>('GET', `/phones/${FRIEND}/messages`);
    return messages.at(-1);
  };
  /** Advances the clock until the number may send again. */
  const breathe = () => gateway.sandbox('POST', '/clock', { advance_seconds: 11 });

  return {
    'a text is followed from its acceptance to its read receipt, and the next one has to wait': async () => {
      await breathe();
      await visit(harness, '/portal/test-send', { as: owner }, async (page) => {
        await page.getByRole('textbox', { name: 'To' }).fill(FRIEND);
        await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Followed all the way');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        assert.ok(await page.getByRole('button', { name: /^Next in \d+ s$/ }).isDisabled());
        await journeyAt(page, 3).waitFor();
        assert.equal(await journeyAt(page, 4).count(), 0);
        const { message_id, text } = (await newest()) ?? {};
        assert.equal(text, 'Followed all the way');
        await gateway.sandbox('POST', `/phones/${FRIEND}/receipts`, { message_id, type: 'read' });
        await journeyAt(page, 4).waitFor();
      });
    },

    'a second one within the interval is refused with an error text, and the button counts down':
      async () => {
        await breathe();
        await visit(harness, '/portal/test-send', { as: owner, expects: /429/ }, async (page) => {
          await page.getByRole('textbox', { name: 'To' }).fill(FRIEND);
          await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Too soon');
          // Sent by the API, at once: on a busy machine the interval would be over before a second form is filled in.
          const first = await page.request.post(`${gateway.url}/portal/api/test-sends`, {
            headers: { 'X-Parley-Portal': '1', Origin: gateway.url },
            data: { session_id: `${phone}@s.whatsapp.net`, to: FRIEND, text: 'Just in time' },
          });
          assert.equal(first.status(), 202);
          await page.getByRole('button', { name: 'Send', exact: true }).click();
          await page.getByRole('alert').getByText('Test sends are limited to one in 10 seconds').waitFor();
          await page.getByRole('button', { name: /^Next in/ }).waitFor();
        });
      },

    'a poll is composed with any number of options': async () => {
      await breathe();
      await visit(harness, '/portal/test-send', { as: owner }, async (page) => {
        await page.getByLabel('Kind').selectOption({ label: 'Poll' });
        await page.getByRole('textbox', { name: 'To' }).fill(FRIEND);
        await page.getByLabel('Poll name').fill('When?');
        await page.getByRole('button', { name: 'Add' }).click();
        for (const [index, option] of ['Mon', 'Tue', 'Wed'].entries())
          await page.getByLabel(`Item ${index + 1}`).fill(option);
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await journeyAt(page, 3).waitFor();
        await until(async () => (await newest())?.type === 'poll');
      });
    },

    'the example with buttons of several kinds is sent unchanged': async () => {
      await breathe();
      await visit(harness, '/portal/test-send', { as: owner }, async (page) => {
        await page.getByLabel('Kind').selectOption({ label: 'Interactive buttons (experimental)' });
        await page.getByRole('textbox', { name: 'To' }).fill(FRIEND);
        await page.getByRole('button', { name: 'Fill in an example' }).click();
        assert.equal(await page.getByRole('textbox', { name: 'To' }).inputValue(), FRIEND);
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await journeyAt(page, 3).waitFor();
        await until(async () => (await newest())?.type === 'interactive');
      });
    },

    'a refusal of the gateway appears at its field': () =>
      visit(harness, '/portal/test-send', { as: owner, expects: /400/ }, async (page) => {
        await page.getByRole('textbox', { name: 'To' }).fill('nonsense');
        await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await page.locator('.field', { hasText: 'To must be a phone number' }).waitFor();
        assert.equal(await page.getByRole('textbox', { name: 'To' }).getAttribute('aria-invalid'), 'true');
      }),
  };
}
