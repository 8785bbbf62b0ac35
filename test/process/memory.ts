import { readFileSync, writeFileSync } from 'node:fs';

/** Begins anew to watch for the most memory that a process has; answers what it has now. */
export function watchMemory(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return memoryMb(pid);
}

/** The most memory that the process had while it was watched. */
export function memoryMb(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}
