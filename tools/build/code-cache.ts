import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const LONGEST_START_MS = 60_000;
/** Last line of a first start: its demo is linked and has sent a message. */
const IS_READY = /curl/;

/**
 * Starts the bundle once, with its demo and its own data, and makes V8's code cache of all functions called meanwhile
 * (`bin/code-cache.cjs`): a start then takes three quarters of the time. The bundle also runs without it.
 */
export async function recordCode(bundle: string): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-first-start-'));
  try {
    await startOnce(bundle, dataDir);
  } catch (error) {
    console.warn(`The bundle could not be tried, so that it will start more slowly: ${error}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(bundle: string, dataDir: string): Promise<void> {
  const loader = path.join(bundle, '../bin/code-cache.cjs');
  const gateway = spawn(process.execPath, ['--require', loader, path.join(bundle, 'main.cjs'), 'start'], {
    env: { ...withoutSettings(), PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0', CODE_CACHE: 'record' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LONGEST_START_MS,
  });
  const ended = once(gateway, 'exit');
  for await (const line of createInterface(gateway.stdout)) if (IS_READY.test(line)) gateway.kill('SIGTERM');
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code ?? signal}`);
}

/** The settings of the build's environment may point to a database in use. */
function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_')));
}
