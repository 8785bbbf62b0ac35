import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { withSight } from '../sight.ts';
import { PATIENCE_MS } from '../until.ts';
import type { PortalGateway } from './gateway.ts';
import { type Owner, signIn, signInAsOperator } from './owners.ts';

/** Where the checks play. */
export interface TestHarness {
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

/** Opens an address in a fresh profile; anything that the console or the network complains about fails the check. */
export async function visit(
  { gateway, browser }: TestHarness,
  address: string,
  { as, expects, ...options }: VisitOptions,
  use: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: WIDE,
    ...(as && { storageState: await signedIn({ gateway, browser }, as) }),
    ...options,
  });
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
    await withSight(context, complaints, async () => {
      const page = await context.newPage();
      await page.goto(gateway.url + address);
      await use(page, context);
      assert.deepEqual(
        complaints.filter((complaint) => !expects?.test(complaint)),
        [],
      );
    });
  } finally {
    await context.close();
  }
}

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;
const visitors = new Map<Owner | 'operator', Cookies>();

/** Signing in is slow on purpose; each does it once. */
async function signedIn({ gateway, browser }: TestHarness, who: Owner | 'operator'): Promise<Cookies> {
  const known = visitors.get(who);
  if (known) return known;
  const context = await browser.newContext();
  try {
    if (who === 'operator') await signInAsOperator(context, gateway);
    else await signIn(context, gateway, who);
    const cookies = await context.storageState();
    visitors.set(who, cookies);
    return cookies;
  } finally {
    await context.close();
  }
}
