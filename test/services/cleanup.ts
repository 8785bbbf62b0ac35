import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Processes and folders of this process that must not outlive it, with the way to end each. */
const processes = new Set<() => void>();
const folders = new Set<() => void>();
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
let isWatching = false;

/** Ends a child with this process, however that ends. */
export function endWithUs<Child extends ChildProcess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGKILL',
): Child {
  return endAtExit(child, () => child.kill(signal));
}

/** Ends a detached child with this process, together with all its descendants. */
export function endGroupWithUs<Child extends ChildProcess>(leader: Child): Child {
  return endAtExit(leader, () => {
    signalGroup(leader, 'SIGTERM');
    // A stopped process gets the signal after it continues.
    signalGroup(leader, 'SIGCONT');
  });
}

/** Sends to a detached child and its descendants, also after the child itself has ended. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A folder that is removed with this process, if not before. */
export function makeTemporaryFolder(prefix: string): TemporaryFolder {
  watch();
  const path = mkdtempSync(join(tmpdir(), prefix));
  function remove(): void {
    folders.delete(remove);
    // A server that was just stopped may still delete files in there, which makes a removal fail halfway.
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
  // Without a listener, a signal would end this process before the clean-up.
  for (const signal of SIGNALS) process.on(signal, () => exitUnlessOthersListen(signal));
}

/** Another listener ends the process in its own way. */
function exitUnlessOthersListen(signal: (typeof SIGNALS)[number]): void {
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
