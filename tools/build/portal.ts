import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, refresh } from './sources.ts';

const PORTAL = 'packages/portal';
/** All that the pages are made of: they use the contract's own schemas and limits, and look like the API reference. */
const SOURCES = [
  `${PORTAL}/{index.html,link.html,package.json,vite.config.ts,tsconfig.json}`,
  `${PORTAL}/{src,build}/**/*`,
  'packages/contract/src/**/*.ts',
  'packages/gateway/src/reference/assets/{theme.css,mark.svg}',
  'package-lock.json',
];
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');

/** Builds the portal's pages, where they are not of these sources already. */
export async function buildPortal(): Promise<void> {
  // An install for production has no sources or no tools: what it was given is served.
  if (!existsSync(path.join(ROOT, PORTAL, 'index.html')) || !existsSync(VITE)) return;
  await refresh(path.join(ROOT, PORTAL, 'dist'), SOURCES, (aside) => {
    const { status } = spawnSync(
      process.execPath,
      [VITE, 'build', path.join(ROOT, PORTAL), '--outDir', aside, '--logLevel', 'warn'],
      { stdio: 'inherit' },
    );
    if (status !== 0) throw new Error('The pages of the portal could not be built.');
  });
}
