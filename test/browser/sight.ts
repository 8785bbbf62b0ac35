import type { BrowserContext, Page } from 'playwright-core';

const LINES_MAX = 60;
/** Where links lead hardly ever matters. */
const ADDRESS = /^\s*- \/url: /;
/** A page that is stuck must not hold up the report of that. */
const PATIENCE_MS = 5_000;

/** Does something in the browser; when that fails, the error also says what was on the screen, and what the browser complained about. */
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

/** Where a page is and what can be read on it; of a long one the middle is left out. */
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
