import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const CACHE = path.join(import.meta.dirname, '../node_modules/.cache');
const MOST_WORDS_BYTES = 64 * 1024 ** 2;

/**
 * Installs tools of a single task, which would make every `npm ci` larger, on first use, with the exact versions and hashes of
 * the lock in `folder`. Returns their path.
 */
export async function toolsOnDemand(folder: string): Promise<string> {
  const lock = readFileSync(path.join(folder, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const place = path.join(CACHE, `${path.basename(folder)}-${digest}`);
  const whole = path.join(place, 'whole');
  if (!existsSync(whole)) {
    rmSync(place, { recursive: true, force: true });
    cpSync(folder, place, { recursive: true });
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', args, { cwd: place, maxBuffer: MOST_WORDS_BYTES });
    writeFileSync(whole, '');
  }
  return path.join(place, 'node_modules');
}
