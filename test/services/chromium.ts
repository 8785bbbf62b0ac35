import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { makeTemporaryFolder } from './belongings.ts';
import { findOrInstall } from './processes.ts';

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/** Chromium of this machine, with a profile that leaves nothing behind. Whoever launched it closes it. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await ownChromium());
}

/** The same with switches that belong to a whole profile, such as an extension. */
export async function launchChromiumWith(
  switches: readonly string[],
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = makeTemporaryFolder('parley-chromium-');
  const { executablePath, args } = await ownChromium();
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath,
    // The small build without a window knows no extensions; the whole one can go without a window too.
    args: [...args, '--headless=new', ...switches],
    ignoreDefaultArgs: ['--headless', '--disable-extensions'],
  });
  return {
    context,
    async close() {
      await context.close();
      profile.remove();
    },
  };
}

async function ownChromium(): Promise<{ executablePath: string; args: string[] }> {
  const executablePath = process.env.PARLEY_TEST_CHROMIUM ?? (await findOrInstall('chromium', 'chromium'));
  // As root, which is how containers run, Chromium refuses to start with its sandbox.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args: [...QUIET, ...asRoot] };
}
