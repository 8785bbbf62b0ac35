import type { BrowserContext, Page } from 'playwright-core';

const LINES_MAX = 60;
/** Targets of links hardly ever matter. */
const ADDRESS = /^\s*- \/url: /;
/** A page that hangs must not hold up its report. */
const PATIENCE_MS = 5_000;

/** Runs a step in the browser; a failure also contains the page's content and the browser's complaints. */
export async function withSight(
  context: BrowserContext,
  complaints: readonly string[],
  use: () => Promise<void>,
): Promise<void> {
  try {
    await use();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const sights = await Promise.all(context.pages().map(sightOf));
    throw new Error([why, ...complaints.map((each) => `complaint: ${each}`), ...sights].join('\n'), {
      cause: error,
    });
  }
}

/** Address and text of a page; the middle of a long text is left out. */
async function sightOf(page: Page): Promise<string> {
  const seen = await page
    .locator('body')
    .ariaSnapshot({ timeout: PATIENCE_MS })
    .catch(() => 'nothing could be seen');
  const lines = seen.split('\n').filter((line) => !ADDRESS.test(line));
  const half = LINES_MAX / 2;
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, half), '…', ...lines.slice(-half)] : lines;
  return `at ${page.url()}\n${shown.join('\n')}`;
}
