import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used since it began, as the kernel of Linux tells it: nothing has to run inside the process for that. */
export interface ProcessUsage {
  /** Milliseconds of the processor, by thread. Helpers of one kind, such as those that compile and collect garbage, are added up. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Bytes that were handed to the disk. */
  readonly written: number;
}

export function usageOf(pid: number): ProcessUsage {
  const folder = `/proc/${pid}/task`;
  const cpuMs: Record<string, number> = {};
  for (const thread of readdirSync(folder)) {
    const name = readFileSync(`${folder}/${thread}/comm`, 'utf8').trim();
    const [nanoseconds = 0] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ').map(Number);
    cpuMs[name] = (cpuMs[name] ?? 0) + nanoseconds / 1e6;
  }
  const written = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
  return { cpuMs, written: Number(written) };
}

/** What was used between two looks. */
export function usedBetween(before: ProcessUsage, after: ProcessUsage): ProcessUsage {
  const cpuMs = Object.fromEntries(
    Object.entries(after.cpuMs).map(([name, ms]) => [name, ms - (before.cpuMs[name] ?? 0)]),
  );
  return { cpuMs, written: after.written - before.written };
}

export function totalCpuMs({ cpuMs }: Pick<ProcessUsage, 'cpuMs'>): number {
  return Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
}
