import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// Not by the name of its package, which would load the whole kernel for a single test.
import { createSystemClock } from '../../packages/gateway/src/kernel/time/clock.ts';
import { accepts } from './processes.ts';

/**
 * Servers that stay between runs of single tests. Each has a process of its own in the background (`hold.ts`) which starts it,
 * writes its address into a file, and stops it when that file was not touched for a while.
 */
const FOLDER = join(import.meta.dirname, '../../.cache/test-services');
const PATIENCE_MS = 90_000;
const STILL_HERE_MS = 60_000;
const clock = createSystemClock();
export const IDLE_MS = 10 * 60_000;

const addressFile = (name: string): string => join(FOLDER, `${name}.url`);
const holderFile = (name: string): string => join(FOLDER, `${name}.pid`);
const logFile = (name: string): string => join(FOLDER, `${name}.log`);

/** The address of a running server, started on demand. It stays for the lifetime of this process, and a while longer. */
export async function findWarm(name: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  let holder: ChildProcess | undefined;
  for (const until = clock.now() + PATIENCE_MS; clock.now() < until; await sleep(50)) {
    const url = readIfThere(addressFile(name));
    if (url && (await answers(url))) {
      touch(name);
      setInterval(() => touch(name), STILL_HERE_MS).unref();
      return url;
    }
    if (isHeld(name)) continue;
    if (holder && holder.exitCode !== null) break;
    holder ??= startHolder(name);
  }
  throw new Error(`${name} could not be started:\n${readIfThere(logFile(name))}`);
}

function startHolder(name: string): ChildProcess {
  const log = openSync(logFile(name), 'w');
  const holder = spawn(process.execPath, [join(import.meta.dirname, 'hold.ts'), name], {
    stdio: ['ignore', log, log],
    detached: true,
  });
  holder.unref();
  return holder;
}

/** Claims this server, unless a living process holds it. */
export function takePlace(name: string): boolean {
  mkdirSync(FOLDER, { recursive: true });
  if (isHeld(name)) return false;
  leavePlace(name);
  try {
    writeFileSync(holderFile(name), `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

export function leavePlace(name: string): void {
  for (const file of [addressFile(name), holderFile(name)]) rmSync(file, { force: true });
}

export function publishAddress(name: string, url: string): void {
  const draft = `${addressFile(name)}.draft`;
  writeFileSync(draft, url);
  renameSync(draft, addressFile(name));
}

/** Time since the last use of the server. */
export function idleMs(name: string): number {
  try {
    return clock.now() - statSync(addressFile(name)).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function touch(name: string): void {
  try {
    const now = new Date(clock.now());
    utimesSync(addressFile(name), now, now);
  } catch {
    // It has ended.
  }
}

function isHeld(name: string): boolean {
  const pid = Number(readIfThere(holderFile(name)));
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return accepts(Number(port), hostname);
}
