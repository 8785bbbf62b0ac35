import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Resources of a gateway at one moment, from the kernel, its metrics and its database. */
export interface Gauges {
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly timers: number;
}

export const GAUGES = ['memoryMb', 'descriptors', 'threads', 'timers'] as const;

export async function readGauges(pid: number, url: string): Promise<Gauges> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return {
    memoryMb: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1]),
    timers: Number(
      /^nodejs_active_resources\{type="Timeout"[^}]*\} (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN,
    ),
  };
}

/** Row counts by table. */
export function countRows(dataDir: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true });
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all();
    return new Map(
      tables.map(({ name }) => {
        const counted = database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get();
        return [`${name}`, Number(counted?.rows)];
      }),
    );
  } finally {
    database.close();
  }
}
