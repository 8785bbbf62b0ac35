import { readdirSync, readFileSync } from 'node:fs';

/** Resource usage of a process since its start, from the Linux kernel, without any code inside the process. */
export interface ProcessUsage {
  /** Milliseconds of processor time, by thread. Helper threads of one kind, such as compiler and garbage collector, are added up. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Bytes written to disk. */
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

/** Usage between two measurements. */
export function usedBetween(before: ProcessUsage, after: ProcessUsage): ProcessUsage {
  const cpuMs = Object.fromEntries(
    Object.entries(after.cpuMs).map(([name, ms]) => [name, ms - (before.cpuMs[name] ?? 0)]),
  );
  return { cpuMs, written: after.written - before.written };
}

export function totalCpuMs({ cpuMs }: Pick<ProcessUsage, 'cpuMs'>): number {
  return Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
}
