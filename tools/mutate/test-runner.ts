import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroupWithUs, signalGroup } from '../../test/services/cleanup.ts';

export interface HostRequest {
  readonly files: readonly string[];
  /** Sources changed in the run before. */
  readonly changed: readonly string[];
}

export interface Failure {
  /** Title of a test, or a failure outside of tests. */
  readonly by: string;
  readonly byFile?: string;
  /** Duration of the test. */
  readonly ms?: number;
}

export interface HostAnswer {
  readonly failed: readonly Failure[];
  readonly files: readonly { readonly file: string; readonly ms: number }[];
}

type RunResult = HostAnswer | 'timed out' | 'ended';

export interface TestRunner {
  /** Runs test files until one fails, the time limit is reached, or the process dies. */
  run(files: readonly string[], limitMs: number): Promise<RunResult>;
  /** Sources changed, for the next run. */
  invalidate(files: readonly string[]): void;
  [Symbol.dispose](): void;
}

const START_LIMIT_MS = 120_000;

/** Runs tests in a copy of the repository, sequentially. */
export function createTestRunner(root: string, environment: Record<string, string>): TestRunner {
  const temporary = join(root, '.cache/tmp');
  mkdirSync(temporary, { recursive: true });
  const env = { ...process.env, TMPDIR: temporary, ...environment };
  let host: ChildProcess | undefined;
  let stale: readonly string[] = [];

  async function start(): Promise<ChildProcess> {
    const started = endGroupWithUs(
      fork(join(root, 'tools/mutate/test-host.ts'), {
        cwd: root,
        env,
        detached: true,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
    const ready = await answerOf(started, START_LIMIT_MS);
    if (typeof ready === 'string') throw new Error(`vitest ${ready} before it could run a test.`);
    return started;
  }

  function stop(): void {
    // Includes child processes of the tests.
    if (host) signalGroup(host, 'SIGKILL');
    host = undefined;
  }

  return {
    async run(files, limitMs) {
      host ??= await start();
      const answer = answerOf(host, limitMs);
      host.send({ files, changed: stale } satisfies HostRequest);
      stale = [];
      const result = await answer;
      if (typeof result === 'string') stop();
      return result;
    },
    invalidate(files) {
      stale = [...stale, ...files];
    },
    [Symbol.dispose]: stop,
  };
}

async function answerOf(host: ChildProcess, limitMs: number): Promise<RunResult> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([
      once(host, 'message', { signal }).then(([message]) => message as HostAnswer),
      once(host, 'exit', { signal }).then(() => 'ended' as const),
      sleep(limitMs, 'timed out' as const, { signal }),
    ]);
  } finally {
    done.abort();
  }
}
