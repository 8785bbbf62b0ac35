import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScratchCopy } from '../scratch-copy.ts';
import { instrument, type SourceMap } from './points.ts';
import { LOADED } from './reach.ts';
import type { TestRunner } from './test-runner.ts';

/** What a test file ran on the unchanged sources. */
export interface Measurement {
  /** Duration. */
  readonly ms: number;
  /** Points of each file that it loaded. */
  readonly hits: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface Source {
  readonly text: string;
  readonly map: SourceMap;
}

interface Stored {
  readonly key: string;
  readonly ms: number;
  readonly files: Record<string, { readonly hash: string; readonly points: readonly number[] }>;
}

interface Parts {
  readonly copy: Pick<ScratchCopy, 'path' | 'write'>;
  readonly runner: Pick<TestRunner, 'run'>;
  readonly sources: ReadonlyMap<string, Source>;
  /** Measurements of earlier runs. */
  readonly folder: string;
  /** Text of a test and of everything that only tests use, which decides what it runs. */
  readonly textOf: (test: string) => string;
}

const HITS = '.cache/hits';
const LIMIT_MS = 180_000;

/**
 * Finds out which points of the sources a test file runs, in whatever thread or process: each source of the copy records its points
 * in a file. A measurement is kept on disk, and made again when its test or one of the sources in question has changed.
 */
export function createCoverage({ copy, runner, sources, folder, textOf }: Parts) {
  const paths = [...sources.keys()];
  const hashes = new Map([...sources].map(([path, { text }]) => [path, digest(text)]));
  mkdirSync(folder, { recursive: true });
  let isInstrumented = false;

  function instrumentAll(): void {
    if (isInstrumented) return;
    mkdirSync(join(copy.path, '.cache'), { recursive: true });
    for (const [number, [path, { text, map }]] of [...sources].entries())
      copy.write(
        path,
        `${instrument(text, map.points, '__hit')}\n${recorder(join(copy.path, HITS), number)}`,
      );
    isInstrumented = true;
  }

  function fileOf(test: string): string {
    return join(folder, `${digest(test)}.json`);
  }

  function read(test: string, files: readonly string[]): Measurement | undefined {
    const stored = readStored(fileOf(test));
    if (stored?.key !== digest(textOf(test))) return undefined;
    const isCurrent = (file: string) => (stored.files[file]?.hash ?? hashes.get(file)) === hashes.get(file);
    if (!files.every(isCurrent)) return undefined;
    const hits = Object.entries(stored.files).map(([file, { points }]) => [file, new Set(points)] as const);
    return { ms: stored.ms, hits: new Map(hits) };
  }

  /** Answers the reason when the test fails. */
  async function measure(test: string): Promise<Measurement | string> {
    instrumentAll();
    writeFileSync(join(copy.path, HITS), '');
    const result = await runner.run([test], LIMIT_MS);
    if (typeof result === 'string') return result;
    const ms = result.files.find(({ file }) => file === test)?.ms;
    if (result.failed.length > 0 || ms === undefined) return result.failed[0]?.by ?? 'no test';
    const hits = hitsIn(readFileSync(join(copy.path, HITS), 'utf8'), paths);
    const files = [...hits].map(([file, points]) => [file, { hash: hashes.get(file), points: [...points] }]);
    writeFileSync(
      fileOf(test),
      JSON.stringify({ key: digest(textOf(test)), ms, files: Object.fromEntries(files) }),
    );
    return { ms, hits };
  }

  return { read, measure };
}

function readStored(path: string): Stored | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Records each point once in a module's life, at once, because a test may kill the process. Does nothing in a browser. */
function recorder(path: string, number: number): string {
  return `function __hit(point) {
  const seen = (__hit.seen ??= new Set()), fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (fs === undefined || seen.has(point)) return;
  seen.add(point);
  globalThis.__hits ??= fs.openSync(${JSON.stringify(path)}, 'a');
  fs.writeSync(globalThis.__hits, '${number} ' + point + '\\n');
}
__hit(${LOADED});
`;
}

function hitsIn(text: string, paths: readonly string[]): Map<string, Set<number>> {
  const hits = new Map<string, Set<number>>();
  for (const line of text.split('\n')) {
    const [, number, point] = /^(\d+) (-?\d+)$/.exec(line) ?? [];
    const path = paths[Number(number)];
    if (number === undefined || path === undefined) continue;
    const points = hits.get(path);
    if (points) points.add(Number(point));
    else hits.set(path, new Set([Number(point)]));
  }
  return hits;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
