import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { endGroupWithUs, makeTemporaryFolder, signalGroup } from './cleanup.ts';

export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  /** Description of each failure. */
  readonly failures: readonly string[];
  /** Test files to run for these failures alone, none for the whole suite; undefined if that cannot be said. */
  readonly failedFiles?: readonly string[] | undefined;
}

/** Takes the output of a script. */
export type Show = (chunk: string) => unknown;

const VITEST = 'node_modules/vitest/vitest.mjs';
const running = new Set<ChildProcess>();

/** Runs Node on a script and shows its output as it comes. */
export async function runNode(args: string[], show: Show): Promise<{ ok: boolean; output: string }> {
  const child = endGroupWithUs(
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
  );
  running.add(child);
  // Processes of a vitest thread outlive it after an interrupt, and would keep our pipes open.
  child.once('exit', () => signalGroup(child, 'SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    show(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', show);
  const [code] = await once(child, 'close');
  running.delete(child);
  return { ok: code === 0, output };
}

/** Interrupts the running scripts, which end their children themselves. */
export function interruptScripts(): void {
  for (const child of running) child.kill('SIGTERM');
}

/** The fields of vitest's JSON report that are read here. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function failuresIn({ testResults }: VitestReport): string[] {
  return testResults.flatMap((file) => {
    const name = relative(process.cwd(), file.name);
    // A file that cannot be loaded has no failed test, but counts as one.
    if (file.status === 'failed' && file.assertionResults.length === 0) return [`${name}\n${file.message}`];
    return file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map((one) => `${name}: ${one.fullName}\n${one.failureMessages.join('\n')}`);
  });
}

/** `args`: options, and parts of the paths of test files; none for all of them. */
export async function runVitest(config: string, show: Show, ...args: string[]): Promise<SuiteResult> {
  const folder = makeTemporaryFolder('parley-vitest-');
  const report = join(folder.path, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { ok } = await runNode([VITEST, 'run', '--config', config, ...reporters, ...args], show);
    const vitest: VitestReport = JSON.parse(readFileSync(report, 'utf8'));
    const failures = failuresIn(vitest);
    const failed = vitest.testResults.filter(({ status }) => status === 'failed');
    let failedFiles: string[] | undefined = failed.map(({ name }) => relative(process.cwd(), name));
    // It also fails for an error outside all tests.
    if (!ok && failures.length === 0) {
      failures.push('an error outside of the tests, in the output above');
      failedFiles = undefined;
    }
    return { passed: vitest.numPassedTests, failed: failures.length, failures, failedFiles };
  } finally {
    folder.remove();
  }
}

/** For a script that starts the services of a vitest suite: prints vitest's output, then the failures and the tally. */
export async function endWithVitest(config: string, ...args: string[]): Promise<void> {
  const { passed, failed, failures } = await runVitest(
    config,
    (chunk) => process.stdout.write(chunk),
    ...args,
  );
  for (const each of failures) console.log(`✗ ${each.split('\n', 2).join(': ')}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** Runs the tests again whenever a file is saved, until it is interrupted. */
export async function watchVitest(config: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [VITEST, 'watch', '--config', config, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 0;
}
