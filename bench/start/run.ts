import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { endGroupWithUs } from '../../test/services/cleanup.ts';
import { freePort } from '../../test/services/processes.ts';
import { median } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * Time from `npm start` until the gateway is ready, on an empty data directory and on a used one, minus the start and end of
 * Node.js itself, which is measured in between. npm's own time is included.
 *
 * npm run bench -- start [--rounds 7]
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const rounds = Number(values.rounds);
const MOST_SECONDS = 1;
const LOOK_EVERY_MS = 5;
const LONGEST_START_MS = 60_000;
const root = join(import.meta.dirname, '../..');
const clock = createSystemClock();

async function timeOfNode(): Promise<number> {
  const started = clock.monotonic();
  await once(spawn(process.execPath, ['--eval', '0']), 'exit');
  return clock.monotonic() - started;
}

/** Starts the gateway as in the README, and stops it when it is ready. */
async function timeOfStart(dataDir: string): Promise<number> {
  const port = await freePort();
  const started = clock.monotonic();
  const npm = endGroupWithUs(
    spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: `${port}` },
      stdio: 'ignore',
      // npm does not forward signals; its process group gets them.
      detached: true,
    }),
  );
  while (!(await isReady(port))) {
    if (npm.exitCode !== null || clock.monotonic() - started > LONGEST_START_MS)
      throw new Error('the gateway did not get ready');
    await sleep(LOOK_EVERY_MS);
  }
  const took = clock.monotonic() - started;
  await stopGroup(npm.pid ?? 0);
  return took;
}

/** npm ends before the gateway does, which still holds its data directory then. */
async function stopGroup(pid: number): Promise<void> {
  process.kill(-pid, 'SIGTERM');
  while (isAlive(-pid)) await sleep(LOOK_EVERY_MS);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

const [own, first, again]: [number[], number[], number[]] = [[], [], []];
for (let round = 0; round <= rounds; round++) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-start-'));
  const times = [await timeOfNode(), await timeOfStart(dataDir), await timeOfStart(dataDir)] as const;
  rmSync(dataDir, { recursive: true, force: true });
  // Round 0 builds the pages and fills the compile cache, if needed.
  if (round > 0) for (const [index, each] of [own, first, again].entries()) each.push(times[index] ?? 0);
}
const seconds = (times: readonly number[]): number => median(times) / 1_000;
console.log(`Node.js itself ${seconds(own).toFixed(2)} s`);
for (const [name, times] of [
  ['the first start', first],
  ['a later start', again],
] as const) {
  const figure = seconds(times) - seconds(own);
  verdict({ name: `${name} beyond that of Node.js`, figure, unit: 's', atMost: MOST_SECONDS });
}
