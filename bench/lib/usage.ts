import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes that this process holds. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

const SAMPLE_EVERY_MS = 1_000;
const SAMPLES_ALIKE = 3;
const LIKENESS = 0.005;
const MOST_SAMPLES = 30;

/** What is really held: garbage is collected until collecting more of it changes nothing. Needs `--expose-gc`. */
export async function settledMemory(): Promise<Memory> {
  if (!globalThis.gc) throw new Error('start with --expose-gc');
  const last: Memory[] = [];
  for (let sample = 0; sample < MOST_SAMPLES && !areAlike(last); sample++) {
    globalThis.gc();
    await sleep(SAMPLE_EVERY_MS);
    const { rss, heapUsed } = process.memoryUsage();
    last.push({ rss, heapUsed });
    last.splice(0, last.length - SAMPLES_ALIKE);
  }
  const settled = last.at(-1);
  if (!settled) throw new Error('nothing was measured');
  return settled;
}

function areAlike(samples: readonly Memory[]): boolean {
  const sizes = samples.map(({ rss }) => rss);
  return (
    sizes.length === SAMPLES_ALIKE && Math.max(...sizes) - Math.min(...sizes) < LIKENESS * Math.max(...sizes)
  );
}

/** Of all threads of this process, since it started. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
