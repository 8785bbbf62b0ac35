import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;

/** How much memory a process has in use, looked at from outside, and its end when it takes more than it may. */
export interface MemoryBound {
  /** Megabytes. */
  now(): number;
  /** The most since the last time that this was asked. */
  takePeak(): number;
  stop(): void;
}

/** As the kernel does for a container: a process that takes more is killed. Resident memory is what counts there. */
export function boundMemory(child: ChildProcess, mostMb: number, onBroken: () => void): MemoryBound {
  let peak = 0;
  function now(): number {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
  }
  const watch = setInterval(() => {
    if (child.exitCode !== null || child.signalCode !== null) return clearInterval(watch);
    peak = Math.max(peak, now());
    if (peak <= mostMb) return;
    child.kill('SIGKILL');
    onBroken();
  }, LOOK_EVERY_MS);
  return {
    now,
    takePeak() {
      const found = peak;
      peak = 0;
      return found;
    },
    stop: () => clearInterval(watch),
  };
}
