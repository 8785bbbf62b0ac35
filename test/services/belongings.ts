import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** What this process has started or made outside of itself, and must not outlive it: how each is brought to its end. */
const processes = new Set<() => void>();
const folders = new Set<() => void>();
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
let isWatching = false;

/** Lets a child end with this process, however that ends. */
export function endWithUs<Child extends ChildProcess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGKILL',
): Child {
  return endAtExit(child, () => child.kill(signal));
}

/** Lets a child that was started detached end with this process, and with the child all that it has started. */
export function endGroupWithUs<Child extends ChildProcess>(leader: Child): Child {
  return endAtExit(leader, () => {
    signalGroup(leader, 'SIGTERM');
    // Who was made to stand still hears it as well.
    signalGroup(leader, 'SIGCONT');
  });
}

/** To a detached child and to all that it has started, also when it has ended itself. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody of them is left.
  }
}

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A folder that is gone when this process is, if it was not removed before. */
export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  watch();
  const path = mkdtempSync(join(tmpdir(), prefix));
  function remove(): void {
    folders.delete(remove);
    // A server that was just told to end may still be tidying up in there, and a file that it removes first ends a removal half done.
    for (let attempt = 0; attempt < 5 && existsSync(path); attempt++)
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
  folders.add(remove);
  return { path, remove };
}

function endAtExit<Child extends ChildProcess>(child: Child, end: () => void): Child {
  watch();
  processes.add(end);
  child.once('exit', () => processes.delete(end));
  return child;
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('exit', () => {
    for (const belongings of [processes, folders]) for (const end of belongings) end();
  });
  // Without somebody who listens, a signal would end this process before it could clear up.
  for (const signal of SIGNALS) process.on(signal, () => exitUnlessOthersListen(signal));
}

/** Whoever else listens has a way of its own to come to an end. */
function exitUnlessOthersListen(signal: (typeof SIGNALS)[number]): void {
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
