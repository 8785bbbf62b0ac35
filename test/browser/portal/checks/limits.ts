import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Furnished } from '../furnish.ts';
import { settled } from '../pages.ts';
import { type TestHarness, visit } from '../visit.ts';

const SCRIPT_MAX_BYTES = 60 * 1_024;
const INTERACTIVE_MAX_MS = 1_000;
const ROWS = 10_000;
const TRIES = 3;

/** Compressed size of all scripts that a page has loaded, preloads included. */
async function scriptBytes(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`),
  );
}

export function boundChecks(harness: TestHarness, furnished: Furnished): Record<string, () => Promise<void>> {
  return {
    'the first page stays below the limit of script, signed in or not': async () => {
      const judge = async (page: Page, name: string) => {
        const bytes = await scriptBytes(page);
        console.log(`  ${name}: ${(bytes / 1_024).toFixed(1)} KB of script`);
        assert.ok(bytes > 10_000 && bytes < SCRIPT_MAX_BYTES, `${name}: ${bytes} bytes`);
      };
      await visit(harness, '/portal', {}, async (page) => {
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
        await judge(page, 'signing in');
      });
      await visit(harness, '/portal', { as: furnished.owner }, async (page) => {
        await settled(page);
        await judge(page, 'signed in');
      });
    },

    'the first page can be used within a second': async () => {
      const times: number[] = [];
      for (let attempt = 0; attempt < TRIES; attempt++) {
        await visit(harness, '/portal', {}, async (page) => {
          await page.getByLabel('E-mail').fill('x');
          // Measured from the start of the navigation.
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
          await route.fulfill({ json: { numbers: many, next_cursor: null } });
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
