import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../services/chromium.ts';
import { type Furnished, furnish } from './furnish.ts';
import { type PortalGateway, startGateway } from './gateway.ts';
import { drawn, type PortalPage, pagesOf, settled, termsPagesOf } from './pages.ts';
import { withPalette } from './palette-png.ts';
import { NARROW, type TestHarness, visit, WIDE } from './visit.ts';

/**
 * Takes the pictures of `docs/portal.md`: every page wide, narrow and dark. `npm run pictures -- [page …]` takes those of the
 * named pages.
 */

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/portal');
const TALLEST = 1_500;
const BETWEEN_TERMS_SECONDS = 20 * 24 * 3_600;

const MODES: Readonly<Record<string, BrowserContextOptions>> = {
  wide: { viewport: WIDE, colorScheme: 'light' },
  dark: { viewport: WIDE, colorScheme: 'dark' },
  narrow: { viewport: NARROW, colorScheme: 'light' },
};

const names = process.argv.slice(2);
const isWanted = ({ name }: PortalPage): boolean => names.length === 0 || names.includes(name);

/** Grows the window to the page, so that sticky elements are drawn once and whole. */
async function growToContent(page: Page): Promise<void> {
  const { width = WIDE.width, height = WIDE.height } = page.viewportSize() ?? {};
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
  if (whole <= height || height === TALLEST) return;
  await page.setViewportSize({ width, height: Math.min(whole, TALLEST) });
  await drawn(page);
  // A virtual phone grows too, up to its own limit.
  await growToContent(page);
}

async function take(
  harness: TestHarness,
  { name, path: address, as, expects, use }: PortalPage,
  mode: string,
) {
  const options = { ...(as && { as }), ...(expects && { expects }), ...MODES[mode] };
  await visit(harness, address, { ...options, reducedMotion: 'reduce' }, async (page) => {
    await settled(page);
    await use?.(page);
    await page.mouse.move(0, 0);
    // Toasts are not part of the page.
    await page.locator('.toast').evaluateAll((toasts) => {
      for (const toast of toasts) toast.remove();
    });
    await growToContent(page);
    await drawn(page);
    const picture = await page.screenshot({ animations: 'disabled' });
    writeFileSync(path.join(FOLDER, `${name}-${mode}.png`), withPalette(picture));
  });
}

async function takeAll(harness: TestHarness, pages: readonly PortalPage[]): Promise<void> {
  for (const page of pages.filter(isWanted)) {
    for (const mode of page.isPrinted ? ['wide'] : Object.keys(MODES)) await take(harness, page, mode);
    console.log(page.name);
  }
}

/** The furnished account has accepted the first version, and is asked for the second. */
async function publishTerms(gateway: PortalGateway, { owner }: Furnished): Promise<void> {
  const publish = (version: string) =>
    gateway.operator('POST', '/tos', { version, url: `https://example.com/terms/${version}`, now: true });
  await publish('2026-12');
  await gateway.operator('PATCH', `/accounts/${owner.accountId}`, { accept_tos: true });
  await gateway.sandbox('POST', '/clock', { advance_seconds: BETWEEN_TERMS_SECONDS });
  await publish('2027-01');
}

mkdirSync(FOLDER, { recursive: true });
const gateway = await startGateway();
const browser = await launchChromium();
try {
  const harness = { gateway, browser };
  using furnished = await furnish(gateway);
  await takeAll(harness, pagesOf(furnished));
  await publishTerms(gateway, furnished);
  await takeAll(harness, termsPagesOf(furnished));
} finally {
  await browser.close();
  await gateway.stop();
}
