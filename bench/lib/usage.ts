import { setTimeout as sleep } from 'node:timers/promises';

/** Memory of this process in bytes. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

const SAMPLE_EVERY_MS = 1_000;
const SAMPLES_ALIKE = 3;
const LIKENESS = 0.005;
const MOST_SAMPLES = 30;

/** Live memory: collects garbage until another collection changes nothing. Needs `--expose-gc`. */
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

const LOOK_EVERY_MS = 250;
/** The measurement itself must not keep the process busy. */
const MOST_OF_TIME = 0.1;

/** Peaks since the start of the watch, in bytes: of live memory, outside the heap too, and of the whole process with its garbage. */
export interface PeakMemory {
  readonly held: number;
  readonly rss: number;
}

let peak: PeakMemory = { held: 0, rss: 0 };
let watch: NodeJS.Timeout | undefined;

/** Starts the periodic measurement. Needs `--expose-gc`. */
export function watchMemory(): void {
  if (!globalThis.gc) throw new Error('start with --expose-gc');
  peak = { held: 0, rss: 0 };
  lookOnAndOn();
}

/** Ends the measurement. */
export function peakMemory(): PeakMemory {
  clearTimeout(watch);
  look();
  return peak;
}

function lookOnAndOn(): void {
  const before = cpuSeconds();
  look();
  const ms = (cpuSeconds() - before) * 1_000;
  watch = setTimeout(lookOnAndOn, Math.max(LOOK_EVERY_MS, ms / MOST_OF_TIME));
}

function look(): void {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  peak = { held: Math.max(peak.held, heapUsed + external), rss: Math.max(peak.rss, rss) };
}
