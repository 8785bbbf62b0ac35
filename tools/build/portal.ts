import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, refresh } from './sources.ts';

const PORTAL = 'packages/portal';
/** Sources of the pages, including the contract and the theme of the API reference. */
const SOURCES = [
  `${PORTAL}/{index.html,link.html,package.json,vite.config.ts,tsconfig.json}`,
  `${PORTAL}/{src,build}/**/*`,
  'packages/contract/src/**/*.ts',
  'packages/gateway/src/surfaces/reference/assets/{theme.css,mark.svg}',
  'package-lock.json',
];
const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js');

/** Builds the portal's pages unless they are up to date. */
export async function buildPortal(): Promise<void> {
  // A production install has no sources or no tools, and serves the pages that it came with.
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
