import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Furnished } from './furnish.ts';
import { type PortalPage, pagesOf, settled } from './pages.ts';
import { NARROW, type Stage, visit } from './visit.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = new Set<string | null | undefined>(['serious', 'critical']);

/** What axe finds that keeps somebody out. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations }: AxeResults = await page.evaluate('axe.run()');
  return violations
    .filter(({ impact }) => GRAVE.has(impact))
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function assertNothingRunsOut(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(width) <= NARROW.width, `the page is ${width} wide`);
}

/** Every page by day, by night and on a phone: axe has nothing serious to say, and nothing runs out of a narrow screen. */
export function lookChecks(stage: Stage, furnished: Furnished): Record<string, () => Promise<void>> {
  async function look(portalPage: PortalPage, judge: (page: Page) => Promise<void>, options: object) {
    const { path, as, use } = portalPage;
    await visit(stage, path, { ...(as && { as }), ...options }, async (page) => {
      await settled(page);
      await use?.(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await judge(page).catch((error: Error) => {
        throw new Error(`${portalPage.name}: ${error.message}`);
      });
    });
  }

  const judgeByAxe = async (page: Page): Promise<void> => assert.deepEqual(await findings(page), []);

  return {
    'every page can be used by everybody, by day': async () => {
      for (const page of pagesOf(furnished)) await look(page, judgeByAxe, { colorScheme: 'light' });
    },
    'and by night': async () => {
      for (const page of pagesOf(furnished)) await look(page, judgeByAxe, { colorScheme: 'dark' });
    },
    'and on a narrow screen, where nothing runs out of it': async () => {
      for (const page of pagesOf(furnished)) {
        const judge = async (shown: Page): Promise<void> => {
          await assertNothingRunsOut(shown);
          await judgeByAxe(shown);
        };
        await look(page, judge, { viewport: NARROW });
      }
    },
    'the navigation of a narrow screen opens and leads on': () =>
      visit(stage, '/portal/numbers', { as: furnished.owner, viewport: NARROW }, async (page) => {
        assert.ok(await page.getByRole('navigation').isHidden());
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
        await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
        assert.ok(await page.getByRole('navigation').isHidden());
      }),
    'the keyboard alone registers a number': () =>
      visit(stage, '/portal/numbers', { as: furnished.owner }, async (page) => {
        await settled(page);
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Register a number');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        assert.equal(await page.evaluate('document.activeElement.type'), 'tel');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.equal(await page.evaluate('document.activeElement.textContent'), 'Register a number');
      }),
  };
}
