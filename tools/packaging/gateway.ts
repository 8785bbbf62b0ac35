import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './compile.ts';
import { withPublishedNames } from './names.ts';

/** Files that the bundle needs beside it, with the layout of the repository and the image. */
const PARTS = ['packages/gateway/bin', 'packages/gateway/dist', 'packages/portal/dist', 'docs'];

/** Package of the command and the pages that it serves: a bundle without dependencies. */
export function buildGatewayPackage(into: string): void {
  rmSync(into, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, ['tools/build/run.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('the gateway could not be built');
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(into, part), { recursive: true });
  const sources = path.join(ROOT, 'packages/gateway');
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(path.join(sources, 'package.json'), 'utf8'),
  );
  const manifest = {
    ...{ name: withPublishedNames(name), version, description, license, engines },
    // Makes the portal's scripts modules; those of the bundle have explicit endings.
    type: 'module',
    bin: { parley: 'packages/gateway/bin/parley.cjs' },
    // The code cache fits one build of Node.js only, such as the image's.
    files: ['packages', '!**/*.code', 'docs', 'NOTICE'],
  };
  writeFileSync(path.join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['LICENSE', 'README.md']) copyFileSync(path.join(sources, file), path.join(into, file));
  copyFileSync(path.join(ROOT, 'NOTICE'), path.join(into, 'NOTICE'));
}

/** For the image, without the package checks: `node tools/packaging/gateway.ts`. */
if (import.meta.main) buildGatewayPackage(path.join(ROOT, 'dist/packages/gateway'));
