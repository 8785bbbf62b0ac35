import { readFileSync, writeFileSync } from 'node:fs';

/** Resets the kernel's peak of a process's memory; returns the current usage. */
export function watchMemory(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return memoryMb(pid);
}

/** The peak since the reset. */
export function memoryMb(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}
