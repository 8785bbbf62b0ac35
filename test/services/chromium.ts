import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { makeTemporaryFolder } from './cleanup.ts';
import { findOrInstall } from './processes.ts';

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Chromium of this machine, with a temporary profile. The caller closes it. It is the headless build, which opens a page for two
 * thirds of the processor time of the full one.
 */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await ownChromium('chromium-headless-shell'));
}

/** The same with switches for a whole profile, such as an extension. */
export async function launchChromiumWith(
  switches: readonly string[],
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = makeTemporaryFolder('parley-chromium-');
  const { executablePath, args } = await ownChromium('chromium');
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath,
    // The headless build has no extensions; the full one runs without a window too.
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

async function ownChromium(build: string): Promise<{ executablePath: string; args: string[] }> {
  const executablePath = process.env.PARLEY_TEST_CHROMIUM ?? (await findOrInstall(build, build));
  // As root, the default in containers, Chromium refuses to start with its sandbox.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args: [...QUIET, ...asRoot] };
}
