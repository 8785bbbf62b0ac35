import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { isNightly } from '../../../runner/nightly.ts';
import type { Furnished } from '../furnish.ts';
import { drawn, pagesOf, settled } from '../pages.ts';
import { LongVisit, NARROW, type TestHarness, visit } from '../visit.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];
/** A long list is checked by its first rows: the others are alike. */
const REPEATED = [['tbody > tr:nth-child(n+6)'], ['ul > li:nth-child(n+8)'], ['ol > li:nth-child(n+8)']];
/** From the filters of a log to its first row. */
const MOST_STEPS = 20;

/** Violations only: axe takes its time for the description of passes. */
const BRIEF = { resultTypes: ['violations'], selectors: false };
const OPTIONS = {
  all: BRIEF,
  colours: { ...BRIEF, runOnly: { type: 'rule', values: RULES_OF_COLOUR } },
  others: { ...BRIEF, rules: Object.fromEntries(RULES_OF_COLOUR.map((rule) => [rule, { enabled: false }])) },
};

/** Animations that ignore reduced motion. Colours in transition would also be measured halfway. */
const MOVING = 'document.getAnimations().map((each) => each.animationName ?? each.transitionProperty)';

/** Violations found by axe, by all of its usual rules, by those of colour, or by the others. */
async function findings(page: Page, which: 'all' | 'colours' | 'others' = 'all'): Promise<string[]> {
  await drawn(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  assert.deepEqual(await page.evaluate(MOVING), [], 'it moves');
  const context = { include: [['html']], exclude: REPEATED };
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(OPTIONS[which])})`,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  );
}

/** Checks that a page fits a narrow screen, and its accessibility: in light colours, and at night also in dark ones and when narrow. */
export async function judge(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  assert.deepEqual(await findings(page), [], 'in light colours');
  if (isNightly) {
    await page.emulateMedia({ colorScheme: 'dark' });
    // The same page in other colours.
    assert.deepEqual(await findings(page, 'colours'), [], 'in dark colours');
  }
  await page.setViewportSize(NARROW);
  // Its colours have been checked already.
  if (isNightly) assert.deepEqual(await findings(page, 'others'), [], 'on a narrow screen');
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(width <= NARROW.width, `it runs out of a narrow screen: ${width} pixels`);
}

export function lookChecks(harness: TestHarness, furnished: Furnished): Record<string, () => Promise<void>> {
  const longVisit = new LongVisit(harness);
  const walk = pagesOf(furnished).map(({ name, path, as, expects, use }) => [
    `${name}: axe finds nothing${isNightly ? ' in light, dark and narrow form' : ''}, and nothing runs out of a narrow screen`,
    () =>
      longVisit.open(path, { ...(as && { as }), ...(expects && { expects }) }, async (page) => {
        await settled(page);
        await use?.(page);
        await judge(page);
      }),
  ]);
  return {
    ...Object.fromEntries(walk),
    'the navigation of a narrow screen opens and links to pages': () =>
      visit(harness, '/portal/numbers', { as: furnished.owner, viewport: NARROW }, async (page) => {
        assert.ok(await page.getByRole('navigation').isHidden());
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
        await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
        assert.ok(await page.getByRole('navigation').isHidden());
      }),
    'the keyboard alone registers a number': () =>
      visit(harness, '/portal/numbers', { as: furnished.owner }, async (page) => {
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
    'the keyboard alone opens a delivery, and leads back to the log': () =>
      visit(harness, `/portal/webhooks/${furnished.webhookId}`, { as: furnished.owner }, async (page) => {
        await settled(page);
        const log = page.getByRole('table').last();
        await log.getByRole('link').first().waitFor();
        await page.getByLabel('Kind of event').focus();
        const isInLog = () => page.evaluate('document.activeElement.closest("table") !== null');
        for (let steps = 0; steps < MOST_STEPS && !(await isInLog()); steps++)
          await page.keyboard.press('Tab');
        assert.ok(await isInLog());
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Attempts' }).waitFor();
        await page.goBack();
        await page.getByLabel('Kind of event').waitFor();
      }),
    'times are relative to the gateway’s clock, however far it was moved': () =>
      visit(harness, '/portal/webhooks', { as: furnished.owner }, async (page) => {
        await page.getByRole('row', { name: /Active 1[67] days ago$/ }).waitFor();
      }),
  };
}
