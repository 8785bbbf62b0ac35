import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;

/** Memory usage of a process, measured from outside; the process ends when it exceeds the limit. */
export interface MemoryBound {
  /** Megabytes. */
  now(): number;
  /** The maximum since the last call. */
  takePeak(): number;
  stop(): void;
}

/** Kills a process that exceeds the limit of resident memory, as the kernel does for a container. */
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
