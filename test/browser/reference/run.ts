import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import pino from 'pino';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createHttpServer } from '../../../packages/gateway/src/http/index.ts';
import { referencePages } from '../../../packages/gateway/src/reference/index.ts';
import { launchChromium } from '../../services/chromium.ts';
import { runChecks } from '../checks.ts';

/** Opens the API reference in a real browser and uses it as a reader would. */

const CONTRAST = readFileSync(new URL('../contrast.js', import.meta.url), 'utf8');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 360, height: 740 };

let address = '';
const server = createHttpServer({
  routes: [],
  pages: referencePages({ baseUrl: () => address, version: '0.0.0' }),
  gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
  operatorToken: undefined,
  ids: { request: () => 'req_browser' },
  log: pino({ level: 'silent' }),
});
address = await server.listen({ host: '127.0.0.1', port: 0 });
const browser = await launchChromium();

/** Reads the page in a fresh profile; anything that the console or the network complains about fails the check. */
async function read(
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  hash = '',
): Promise<void> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const complaints: string[] = [];
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(5_000);
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) complaints.push(`outside: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    });
    await page.goto(`${address}/docs${hash}`);
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Distance of an entry from the top of the window, below the bar. */
async function topOf(page: Page, id: string): Promise<number> {
  return (await page.locator(`[id="${id}"]`).boundingBox())?.y ?? Number.NaN;
}

async function assertAtTop(page: Page, id: string): Promise<void> {
  const top = await topOf(page, id);
  assert.ok(top >= 50 && top < 200, `${id} is ${top} pixels from the top`);
}

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
const results = (page: Page) => page.locator('.results a');

await runChecks({
  'the page renders, with no complaint and nothing from outside': () =>
    read(async (page) => {
      assert.equal(await page.title(), 'Parley API reference');
      assert.ok((await page.locator('article').count()) > 80);
      assert.ok(await page.getByRole('heading', { name: 'Introduction' }).isVisible());
    }),

  'an address with an anchor opens at its entry, and the navigation shows where one is': () =>
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

  'a narrow screen has its contents behind a button, and nothing runs out of it': () =>
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

  'every text stands out from its ground, by day and by night': async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await read(
        async (page) => {
          await page
            .locator('main details')
            .evaluateAll('(all) => all.forEach((each) => (each.open = true))');
          assert.deepEqual(await page.evaluate(CONTRAST), []);
        },
        { colorScheme },
      );
    }
  },
});

await browser.close();
await server.close();
