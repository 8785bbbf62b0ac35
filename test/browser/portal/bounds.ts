import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { Furnished } from './furnish.ts';
import { settled } from './pages.ts';
import { type TestHarness, visit } from './visit.ts';

const SCRIPT_MAX_BYTES = 60 * 1_024;
const INTERACTIVE_MAX_MS = 1_000;
const ROWS = 10_000;
const TRIES = 3;

/** Script that comes with a page, compressed as it travels. */
async function scriptBytes(page: Page, load: () => Promise<unknown>): Promise<number> {
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  await load();
  return (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
}

export function boundChecks(harness: TestHarness, furnished: Furnished): Record<string, () => Promise<void>> {
  return {
    'the first page takes less script than the bound': () =>
      visit(harness, '/portal', {}, async (page) => {
        const bytes = await scriptBytes(page, async () => {
          await page.reload();
          await page.getByRole('button', { name: 'Sign in' }).waitFor();
        });
        console.log(`  first page: ${(bytes / 1_024).toFixed(1)} KB of script`);
        assert.ok(bytes > 0 && bytes < SCRIPT_MAX_BYTES, `${bytes} bytes`);
      }),

    'the first page can be used within a second': async () => {
      const times: number[] = [];
      for (let attempt = 0; attempt < TRIES; attempt++) {
        await visit(harness, '/portal', {}, async (page) => {
          await page.getByLabel('E-mail').fill('x');
          // Counted from the beginning of the navigation.
          times.push(Number(await page.evaluate('performance.now()')));
        });
      }
      const best = Math.min(...times);
      console.log(`  interactive after ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
      assert.ok(best < INTERACTIVE_MAX_MS, `${best} ms`);
    },

    'ten thousand numbers scroll, of which only those in sight are in the page': () =>
      visit(harness, '/portal/sign-in', { as: furnished.owner }, async (page) => {
        await page.route('**/portal/api/numbers', async (route) => {
          const { numbers } = await (await route.fetch()).json();
          const many = Array.from({ length: ROWS }, (_, index) => {
            const phone = String(15_550_100_000 + index);
            return { ...numbers[0], slot_id: `slot_${index}`, phone };
          });
          await route.fulfill({ json: { numbers: many } });
        });
        await page.goto(`${harness.gateway.url}/portal/numbers`);
        await settled(page);
        await page.getByRole('link', { name: '+1 555 010 0000' }).waitFor();
        assert.ok((await page.getByRole('row').count()) < 100);
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        await page.getByRole('link', { name: '+1 555 010 9999' }).waitFor();
        assert.ok((await page.getByRole('row').count()) < 100);
      }),
  };
}
