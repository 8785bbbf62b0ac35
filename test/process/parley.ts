import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '@parley/gateway/kernel';
import { endWithUs } from '../services/cleanup.ts';
import { freePort, stopProcess } from '../services/processes.ts';

export const clock = createSystemClock();
export const launcher = fileURLToPath(new URL('../../packages/gateway/bin/parley.cjs', import.meta.url));

export interface Setup {
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The Node.js for the launcher; by default the current one. */
  readonly node?: string;
  readonly spawnOptions?: Pick<SpawnOptions, 'uid' | 'gid' | 'detached'>;
  /** Runs on after its case, for other cases. */
  readonly shared?: boolean;
  /** Its standard input stays open for `type`. */
  readonly isTyped?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `parley` command in a process of its own. */
export interface Parley {
  readonly pid: number;
  readonly dataDir: string;
  readonly url: string;
  readonly output: { stdout: string; stderr: string };
  /** Resolves when the command has ended; kills it and fails after the time limit. */
  ended(): Promise<Ended>;
  /** Milliseconds from the start until it was ready. */
  ready(): Promise<number>;
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Types a line; without one, ends the input. */
  type(line?: string): void;
}

const LONGEST_START_MS = 60_000;
const LONGEST_END_MS = 60_000;
/** Polling faster takes processor time that the gateway needs for its start. */
const LOOK_AGAIN_MS = 20;
const running = new Map<
  ChildProcessByStdio<Writable | null, Readable, Readable>,
  { readonly shared: boolean }
>();

export async function startParley(setup: Setup): Promise<Parley> {
  const { dataDir, args = [], env = {}, node = process.execPath, spawnOptions = {}, shared = false } = setup;
  const { isTyped = false } = setup;
  const port = env.PARLEY_PORT ?? `${await freePort()}`;
  const startedAt = clock.monotonic();
  const child = endWithUs(
    spawn(node, [launcher, ...args], {
      // Only the variables that every shell has.
      env: { PATH: '/usr/bin:/bin', PARLEY_DATA_DIR: dataDir, PARLEY_PORT: port, ...env },
      stdio: [isTyped ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      ...spawnOptions,
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>,
    'SIGTERM',
  );
  running.set(child, { shared });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk) => {
      output[stream] += chunk;
    });
  const closed = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return { code, signal, ...output };
  });
  const url = `http://127.0.0.1:${port}`;

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const since = clock.monotonic();
    while (clock.monotonic() - since < LONGEST_START_MS) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`parley ended: ${JSON.stringify(output)}`);
      if (await condition()) return;
      await clock.sleep(LOOK_AGAIN_MS);
    }
    throw new Error(`parley did not get ready: ${JSON.stringify(output)}`);
  }

  return {
    pid: child.pid ?? -1,
    dataDir,
    url,
    output,
    kill: (signal) => void child.kill(signal),
    type(line) {
      if (line === undefined) child.stdin?.end();
      else child.stdin?.write(`${line}\n`);
    },
    async ended() {
      const tooLate = setTimeout(() => child.kill('SIGKILL'), LONGEST_END_MS);
      const ended = await closed;
      clearTimeout(tooLate);
      if (ended.signal === 'SIGKILL') throw new Error(`parley did not end: ${JSON.stringify(output)}`);
      return ended;
    },
    until,
    async ready() {
      await until(() => answersReady(url));
      return clock.monotonic() - startedAt;
    },
  };
}

/** The demo of a first run takes as long as the start itself. */
export const WITHOUT_DEMO = { PARLEY_DEMO: 'off' };

/** Runs a command to its end. */
export async function runParley(setup: Setup): Promise<Ended> {
  return (await startParley(setup)).ended();
}

export async function answersReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Stops everything that a failed test has left running, except shared processes. */
export async function stopUnshared(): Promise<void> {
  await stopWhere(({ shared }) => !shared);
}

export async function stopAll(): Promise<void> {
  await stopWhere(() => true);
}

async function stopWhere(isMeant: (each: { readonly shared: boolean }) => boolean): Promise<void> {
  const meant = [...running].filter(([, each]) => isMeant(each));
  await Promise.all(meant.map(([child]) => stopProcess(child, 'SIGTERM')));
}
