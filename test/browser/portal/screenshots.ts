import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../services/chromium.ts';
import { furnish } from './furnish.ts';
import { startGateway } from './gateway.ts';
import { drawn, type PortalPage, pagesOf, settled } from './pages.ts';
import { withPalette } from './palette-png.ts';
import { NARROW, type Stage, visit, WIDE } from './visit.ts';

/**
 * Takes the pictures of `docs/portal.md`: every page wide, narrow and dark. `node test/browser/portal/screenshots.ts [page …]` takes those
 * of the pages that are named.
 */

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/portal');
const TALLEST = 1_500;

const MODES: Readonly<Record<string, BrowserContextOptions>> = {
  wide: { viewport: WIDE, colorScheme: 'light' },
  dark: { viewport: WIDE, colorScheme: 'dark' },
  narrow: { viewport: NARROW, colorScheme: 'light' },
};

/** The window grows to the page, so that what stays in place while one scrolls is drawn once and whole. */
async function growToContent(page: Page): Promise<void> {
  const { width = WIDE.width, height = WIDE.height } = page.viewportSize() ?? {};
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height: Math.min(Math.max(height, whole), TALLEST) });
}

async function take(stage: Stage, shown: PortalPage, mode: string, nowMs: number): Promise<void> {
  const { name, path: address, as, use } = shown;
  await visit(
    stage,
    address,
    { ...(as && { as }), ...MODES[mode], reducedMotion: 'reduce' },
    async (page) => {
      // The gateway has travelled in time to have an invoice to show; the browser goes with it.
      await page.clock.setFixedTime(nowMs);
      await page.reload();
      await settled(page);
      await use?.(page);
      await growToContent(page);
      await drawn(page);
      const picture = await page.screenshot({ animations: 'disabled' });
      writeFileSync(path.join(FOLDER, `${name}-${mode}.png`), withPalette(picture));
    },
  );
}

mkdirSync(FOLDER, { recursive: true });
const names = process.argv.slice(2);
const gateway = await startGateway();
const browser = await launchChromium();
try {
  using furnished = await furnish(gateway);
  const { now_unix } = await gateway.sandbox<{ now_unix: number }>('GET', '/clock');
  for (const page of pagesOf(furnished).filter(({ name }) => names.length === 0 || names.includes(name))) {
    for (const mode of Object.keys(MODES)) await take({ gateway, browser }, page, mode, now_unix * 1_000);
    console.log(page.name);
  }
} finally {
  await browser.close();
  await gateway.stop();
}
