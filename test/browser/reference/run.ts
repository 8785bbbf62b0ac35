import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startDemo } from '../../docs/demo.ts';
import { runChecks } from '../checks.ts';
import { assertAtTop, assertContrast, NARROW, results, search, startReader } from '../reader.ts';

/** Opens the API reference in a real browser and uses it like a reader. */

const reader = await startReader();

function read(
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  hash = '',
): Promise<void> {
  return reader.read(`/docs${hash}`, use, options);
}

await runChecks({
  'the page renders, without errors and without external requests': () =>
    read(async (page) => {
      assert.equal(await page.title(), 'Parley API reference');
      assert.ok((await page.locator('article').count()) > 80);
      assert.ok(await page.getByRole('heading', { name: 'Introduction' }).isVisible());
      const isLaidOut = await page.evaluate(
        '[...document.querySelectorAll("article > *")].at(-1).checkVisibility({ contentVisibilityAuto: true })',
      );
      assert.equal(isLaidOut, false, 'what is out of sight costs nothing');
    }),

  'an address with an anchor opens at its entry, and the navigation marks it': () =>
    read(
      async (page) => {
        await assertAtTop(page, 'createGroup');
        await page.locator('.contents a[aria-current][href="#createGroup"]').waitFor();
      },
      {},
      '#createGroup',
    ),

  'a click in the navigation leads to the entry': () =>
    read(async (page) => {
      await page.locator('.nav-group summary', { hasText: 'Webhook events' }).click();
      await page.locator('.contents a[href="#event-receipt"]').click();
      await assertAtTop(page, 'event-receipt');
    }),

  'search finds by title and by content, and Enter goes to the first': () =>
    read(async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('create a group');
      assert.match((await results(page).first().textContent()) ?? '', /^Create a group/);
      await search(page).fill('message quota exhausted');
      assert.ok((await results(page).allTextContents()).some((text) => text.startsWith('Send a message')));
      await search(page).fill('poll_selectable_count');
      assert.deepEqual(await results(page).allTextContents(), ['PollMessages']);
      await page.keyboard.press('Enter');
      await assertAtTop(page, 'sendMessage-poll');
    }),

  'search says when nothing matches, and Escape brings the contents back': () =>
    read(async (page) => {
      await search(page).fill('zebra crossing');
      await page.getByText('Nothing matches.').waitFor();
      await search(page).press('Escape');
      assert.ok(await page.locator('.groups').isVisible());
      assert.equal(await results(page).count(), 0);
    }),

  'an example is copied as it stands': () =>
    read(
      async (page) => {
        const panel = page.locator('#sendMessage .panel').first();
        await panel.getByRole('button', { name: 'Copy' }).click();
        await panel.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate('navigator.clipboard.readText()');
        assert.equal(copied, await panel.locator('code').textContent());
        await panel.getByRole('button', { name: 'Copy', exact: true }).waitFor();
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ),

  'tabs change by click and by arrow keys': () =>
    read(async (page) => {
      const shown = page.locator('[data-tabs] [role=tabpanel]:visible');
      assert.match((await shown.textContent()) ?? '', /createHmac/);
      await page.getByRole('tab', { name: 'Python' }).click();
      assert.match((await shown.textContent()) ?? '', /hashlib/);
      await page.keyboard.press('ArrowRight');
      assert.match((await shown.textContent()) ?? '', /hmac\.New/);
    }),

  'the chosen language of examples applies to the whole page, and to the next visit': () =>
    read(async (page) => {
      const shown = (id: string) => page.locator(`#${id} [data-example] code`).first();
      await page.locator('#sendMessage').getByRole('button', { name: 'Python' }).first().click();
      await shown('createGroup').getByText('requests.post').waitFor();
      assert.match((await shown('sendMessage').textContent()) ?? '', /^import os\nimport requests/);
      await page.reload();
      await shown('createGroup').getByText('requests.post').waitFor();
      await page.locator('#createGroup').getByRole('button', { name: 'curl' }).click();
      assert.match((await shown('sendMessage').textContent()) ?? '', /^curl -X POST/);
    }),

  'an example is sent from the page, with the reader’s own key': async () => {
    const { parley, url, apiKey } = await startDemo();
    const tried = async (page: Page) => {
      const entry = page.locator('#sendMessage');
      await entry.getByRole('button', { name: 'Try it' }).click();
      const form = entry.getByRole('group', { name: 'Try it' });
      await form.getByText('nothing real happens').waitFor();
      await form.getByLabel('API key').fill(apiKey);
      await form
        .getByLabel('Body')
        .fill(
          (await form.getByLabel('Body').inputValue()).replace(/"text": ".*"/, '"text": "tried on the page"'),
        );
      await form.getByRole('button', { name: 'Send' }).click();
      await form.getByText('"status": "accepted"').waitFor();
      assert.ok(!(await page.evaluate('JSON.stringify(localStorage)'))?.toString().includes(apiKey));
    };
    try {
      const address = `${url}/docs#sendMessage`;
      await reader.read(address, (page) => tried(page).then(() => assertContrast(page)), {
        colorScheme: 'dark',
      });
      await reader.read(address, tried, { viewport: NARROW });
      const phone = await (await fetch(`${url}/sandbox/v1/phones/15550002001/messages`)).text();
      assert.equal(phone.split('tried on the page').length, 3);
    } finally {
      parley.kill('SIGTERM');
      await parley.ended();
    }
  },

  'a narrow screen has its contents behind a button, without horizontal overflow': () =>
    read(
      async (page) => {
        const contents = page.locator('#contents');
        assert.ok(await contents.isHidden());
        await page.getByRole('button', { name: 'Contents' }).click();
        await contents.locator('a[href="#idempotency"]').click();
        assert.ok(await contents.isHidden());
        await assertAtTop(page, 'idempotency');
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), NARROW.width);
      },
      { viewport: NARROW },
    ),

  'everything can be read and reached without scripts': () =>
    read(
      async (page) => {
        assert.ok(await page.locator('[data-search]').isHidden());
        assert.equal(await page.locator('[data-tabs] .panel:visible').count(), 5);
        await page.locator('.nav-group summary', { hasText: 'Operator API' }).click();
        await page.locator('.contents a[href="#createDevice"]').click();
        await assertAtTop(page, 'createDevice');
      },
      { javaScriptEnabled: false },
    ),

  'every text has enough contrast, light and dark': async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await read(assertContrast, { colorScheme });
    }
  },
});

await reader.close();
