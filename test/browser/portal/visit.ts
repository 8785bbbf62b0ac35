import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { withSight } from '../page-snapshot.ts';
import { PATIENCE_MS } from '../until.ts';
import type { PortalGateway } from './gateway.ts';
import { type Owner, signIn, signInAsOperator } from './owners.ts';

/** Browser and gateway of the checks. */
export interface TestHarness {
  readonly gateway: PortalGateway;
  readonly browser: Browser;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Signed in already; anonymous when absent. */
  readonly as?: Owner | 'operator';
  /** Complaints that the check expects. */
  readonly expects?: RegExp;
}

export const WIDE = { width: 1280, height: 860 };
export const NARROW = { width: 390, height: 844 };

interface Profile {
  readonly context: BrowserContext;
  readonly complaints: string[];
}

/** Opens an address in a fresh profile; any complaint of the console or the network fails the check. */
export async function visit(
  harness: TestHarness,
  address: string,
  { expects, ...options }: VisitOptions,
  use: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const profile = await openProfile(harness, options);
  const { context } = profile;
  try {
    await withSight(context, profile.complaints, async () => {
      const page = await context.newPage();
      await page.goto(harness.gateway.url + address);
      await use(page, context);
      assertQuiet(profile, expects);
    });
  } finally {
    await context.close();
  }
}

/** Opens address after address in one tab per visitor, which reads and compiles the portal once. */
export class LongVisit {
  readonly #harness: TestHarness;
  readonly #tabs = new Map<VisitOptions['as'], Promise<Profile & { page: Page }>>();

  constructor(harness: TestHarness) {
    this.#harness = harness;
  }

  async open(
    address: string,
    { as, expects }: Pick<VisitOptions, 'as' | 'expects'>,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const { context, complaints, page } = await this.#tabOf(as);
    complaints.length = 0;
    await page.unrouteAll();
    await withSight(context, complaints, async () => {
      await page.emulateMedia({ media: null, reducedMotion: null, colorScheme: null });
      await page.setViewportSize(WIDE);
      await page.goto(this.#harness.gateway.url + address);
      await use(page);
      assertQuiet({ complaints }, expects);
    });
  }

  #tabOf(as: VisitOptions['as']): Promise<Profile & { page: Page }> {
    const known = this.#tabs.get(as);
    if (known) return known;
    const opened = openProfile(this.#harness, as ? { as } : {}).then(async (profile) => ({
      ...profile,
      page: await profile.context.newPage(),
    }));
    this.#tabs.set(as, opened);
    return opened;
  }
}

async function openProfile(
  { gateway, browser }: TestHarness,
  { as, ...options }: Omit<VisitOptions, 'expects'>,
): Promise<Profile> {
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
  return { context, complaints };
}

function assertQuiet({ complaints }: Pick<Profile, 'complaints'>, expects: RegExp | undefined): void {
  assert.deepEqual(
    complaints.filter((complaint) => !expects?.test(complaint)),
    [],
  );
}

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;
const visitorsOf = new WeakMap<PortalGateway, Map<Owner | 'operator', Cookies>>();

/** Signing in is slow on purpose; each visitor does it once per gateway. */
async function signedIn({ gateway, browser }: TestHarness, who: Owner | 'operator'): Promise<Cookies> {
  const visitors = visitorsOf.get(gateway) ?? new Map<Owner | 'operator', Cookies>();
  visitorsOf.set(gateway, visitors);
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
