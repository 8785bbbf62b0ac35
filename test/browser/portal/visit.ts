import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { PortalGateway } from './gateway.ts';
import { type Owner, signIn, signInAsOperator } from './owners.ts';

/** Where the checks play. */
export interface Stage {
  readonly gateway: PortalGateway;
  readonly browser: Browser;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Signed in already; nobody when absent. */
  readonly as?: Owner | 'operator';
  /** Complaints that belong to the story. */
  readonly expects?: RegExp;
}

export const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };
const PATIENCE_MS = 10_000;

/** Opens an address in a fresh profile; anything that the console or the network complains about fails the check. */
export async function visit(
  { gateway, browser }: Stage,
  address: string,
  { as, expects, ...options }: VisitOptions,
  use: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const complaints: string[] = [];
  context.setDefaultTimeout(PATIENCE_MS);
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => {
    if (!request.url().startsWith(gateway.url) && !request.url().startsWith('data:'))
      complaints.push(`outside: ${request.url()}`);
  });
  try {
    if (as === 'operator') await signInAsOperator(context, gateway);
    else if (as) await signIn(context, gateway, as);
    const page = await context.newPage();
    await page.goto(gateway.url + address);
    await use(page, context);
    assert.deepEqual(
      complaints.filter((complaint) => !expects?.test(complaint)),
      [],
    );
  } finally {
    await context.close();
  }
}
