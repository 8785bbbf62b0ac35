import { type Browser, chromium } from 'playwright-core';
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
  const executablePath = process.env.PARLEY_TEST_CHROMIUM ?? (await findOrInstall('chromium', 'chromium'));
  // As root, which is how containers run, Chromium refuses to start with its sandbox.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...QUIET, ...asRoot] });
}
