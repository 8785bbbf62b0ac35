import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './processes.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/parley-test', import.meta.url));

export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the archive in base64, as in lock files. */
  readonly sha512: string;
}

/**
 * The folder of a package that cannot be a dependency (because of its install scripts or its size): downloaded once, compared
 * with its hash, and unpacked, without running its scripts.
 */
export async function unpackedPackage({ name, version, sha512 }: PinnedPackage): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  const underWay = `${folder}.${process.pid}`;
  mkdirSync(underWay, { recursive: true });
  try {
    await runToEnd('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', underWay]);
    const archive = join(underWay, `${name}-${version}.tgz`);
    const found = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (found !== sha512) throw new Error(`${name}@${version} is not the archive that was pinned`);
    await runToEnd('tar', ['-xzf', archive, '-C', underWay]);
    renameSync(underWay, folder);
  } finally {
    rmSync(underWay, { recursive: true, force: true });
  }
  return join(folder, 'package');
}
