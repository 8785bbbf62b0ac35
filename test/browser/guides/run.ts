import assert from 'node:assert/strict';
import { runChecks } from '../checks.ts';
import { assertAtTop, assertContrast, NARROW, results, search, startReader } from '../reader.ts';

/** Opens the guides in a real browser and uses them like a reader. */

const reader = await startReader();

await runChecks({
  'every guide can be read in light, dark and narrow form, without errors and without external requests':
    async () => {
      assert.ok(reader.guides.length > 15);
      for (const guide of reader.guides)
        await reader.read(guide, async (page) => {
          await assertContrast(page);
          await page.emulateMedia({ colorScheme: 'dark' });
          await assertContrast(page);
          await page.setViewportSize(NARROW);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          assert.equal(width, NARROW.width, `${guide} runs out of the screen`);
        });
    },

  'the contents lead from guide to guide, and follow the reader inside one': () =>
    reader.read('/docs/guides', async (page) => {
      await page.locator('.contents').getByRole('link', { name: 'Messages' }).click();
      await page.locator('.contents a[href="#poll"]').click();
      await assertAtTop(page, 'poll');
      await page.locator('.contents a[aria-current][href="#poll"]').waitFor();
      await page.getByRole('link', { name: 'Next' }).click();
      await page.waitForURL('**/docs/guides/webhooks');
      assert.match(await page.title(), /^Webhooks and events/);
    }),

  'search finds in all guides and in the reference, and leads there': () =>
    reader.read('/docs/guides', async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('pg_dump');
      await results(page).first().waitFor();
      assert.deepEqual(await results(page).allTextContents(), [
        'CommandsCommand line',
        'BackupOperating',
        'PostgreSQL behind a pooler, and with a standbyOperating',
      ]);
      await search(page).fill('/v1/webhooks/{id}/rotate');
      await page.locator('.results a[href="/docs#rotateWebhookSecret"]').waitFor();
      await search(page).fill('backup');
      await page.locator('.results a[href="/docs/guides/operating#backup"]').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/guides/operating#backup');
      await assertAtTop(page, 'backup');
    }),

  'a phone stands beside each request, and below it where there is no room': () =>
    reader.read('/docs/guides/messages', async (page) => {
      const send = page.locator('.send').first();
      const code = await send.locator('.panel').boundingBox();
      const phone = await send.locator('.phone').boundingBox();
      assert.ok(code && phone && phone.x > code.x + code.width - 1 && phone.y < code.y + code.height);
      await page.setViewportSize(NARROW);
      const below = await send.locator('.phone').boundingBox();
      const above = await send.locator('.panel').boundingBox();
      assert.ok(below && above && below.y >= above.y + above.height);
    }),

  'code in five languages shares one place': () =>
    reader.read('/docs/guides/webhooks', async (page) => {
      const names = await page.getByRole('tab').allTextContents();
      assert.deepEqual(names, ['TypeScript', 'Python', 'Go', 'PHP', 'Java']);
      await page.getByRole('tab', { name: 'Java' }).click();
      assert.match((await page.locator('[role=tabpanel]:visible').textContent()) ?? '', /HmacSHA256/);
    }),

  'everything can be read and reached without scripts': () =>
    reader.read(
      '/docs/guides/webhooks',
      async (page) => {
        assert.equal(await page.locator('[data-tabs] .panel:visible').count(), 5);
        await page.locator('.contents').getByRole('link', { name: 'Errors' }).click();
        await page.waitForURL('**/docs/guides/errors');
        assert.match(await page.title(), /^Errors/);
      },
      { javaScriptEnabled: false },
    ),
});

await reader.close();
