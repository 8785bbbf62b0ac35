import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import pino from 'pino';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createHttpServer } from '../../packages/gateway/src/platform/http/index.ts';
import { referencePages } from '../../packages/gateway/src/surfaces/reference/index.ts';
import { launchChromium } from '../services/chromium.ts';
import { withSight } from './page-snapshot.ts';
import { PATIENCE_MS } from './until.ts';

const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };
const CONTRAST = readFileSync(new URL('./contrast.js', import.meta.url), 'utf8');

/** A browser, and a gateway that serves its documentation only. */
export interface Reader {
  /** Paths of all guides, without the decisions, which are all alike. */
  readonly guides: readonly string[];
  /**
   * Opens a page in a fresh profile, by its path or by its address at another gateway; any complaint of the console or the
   * network fails the check.
   */
  read(path: string, use: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void>;
  close(): Promise<void>;
}

export async function startReader(): Promise<Reader> {
  let address = '';
  const pages = referencePages({ baseUrl: () => address, version: '0.0.0', network: 'sandbox' });
  const server = createHttpServer({
    routes: [],
    pages,
    gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
    operatorToken: undefined,
    ids: { request: () => 'req_browser' },
    log: pino({ level: 'silent' }),
  });
  address = await server.listen({ host: '127.0.0.1', port: 0 });
  const browser = await launchChromium();

  return {
    guides: pages
      .filter(({ path, type }) => /^\/docs\/guides(?!\/adr\/)/.test(path) && type.startsWith('text/html'))
      .map(({ path }) => path),
    async read(path, use, options = {}) {
      const url = new URL(path, address);
      const context = await browser.newContext({ viewport: WIDE, ...options });
      const complaints: string[] = [];
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        page.on('console', (message) => complaints.push(`console: ${message.text()}`));
        page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
        page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
        page.on('request', (request) => {
          if (!request.url().startsWith(url.origin)) complaints.push(`outside: ${request.url()}`);
        });
        page.on('response', (response) => {
          if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
        });
        await withSight(context, complaints, async () => {
          await page.goto(url.href);
          await use(page);
          assert.deepEqual(complaints, []);
        });
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

export async function assertAtTop(page: Page, id: string): Promise<void> {
  const top = (await page.locator(`[id="${id}"]`).boundingBox())?.y ?? Number.NaN;
  assert.ok(top >= 50 && top < 200, `${id} is ${top} pixels from the top`);
}

/** Asserts the contrast of every text on the page. */
export async function assertContrast(page: Page): Promise<void> {
  await page.evaluate('for (const each of document.querySelectorAll("main details")) each.open = true');
  assert.deepEqual(await page.evaluate(CONTRAST), []);
}

export const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
export const results = (page: Page) => page.locator('.results a');
