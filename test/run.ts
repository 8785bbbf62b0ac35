import { join } from 'node:path';
import { inspect } from 'node:util';
// Not by the name of its package, which would load the whole kernel for a single test.
import { createSystemClock } from '../packages/gateway/src/kernel/time/clock.ts';
import { buildGateway } from '../tools/build/gateway.ts';
import { NIGHTLY, NIGHTLY_VARIABLE } from './runner/nightly.ts';
import { type Outcome, takeSecondLook } from './runner/second-look.ts';
import { type Selection, select } from './runner/select.ts';
import { runInSlots } from './runner/slots.ts';
import { SERVICE_VARIABLES, type ServiceName, SLOTS, serviceNames, suites } from './runner/suites.ts';
import { startNats } from './services/nats.ts';
import { startPostgres } from './services/postgres.ts';
import {
  interruptScripts,
  runNode,
  runVitest,
  type Show,
  type SuiteResult,
  watchVitest,
} from './services/scripts.ts';
import type { Service } from './services/service.ts';
import { findWarm } from './services/warm.ts';

const HELP = `npm test                              everything but n8n, operating, failover and abuse, with services of its own
npm test -- nightly                   that, and its tests in further worlds, on further databases and in clusters
npm test -- <suite …>                 ${suites.map(({ name }) => name).join(', ')}
npm test -- <path …>                  a test file, a file beside its test, a folder, from here
npm test -- <words of a test's title> that test
npm test -- <any of these> <options>  options are given on to the script (--rounds 200) or to vitest
npm run test:watch [-- <path …>]      the same, again whenever a file is saved

What runs in part finds its services by ${Object.values(SERVICE_VARIABLES).join(' and ')}, or starts those that it
needs and leaves them running in the background until they were not used for ten minutes.`;

const SERVICES: Record<ServiceName, () => Promise<Service>> = { postgres: startPostgres, nats: startNats };
const wholeRun = suites.filter(({ apart }) => !apart).map(({ name }) => name);
/** Unit tests that `vitest.config.ts` has in projects of their own. */
const APART = /^packages\/(?:sandbox|portal)\//;
/** Last lines shown of a script that failed without naming a case. */
const LAST_LINES = 15;
/** Test processes and threads mostly load code, so they share one compile cache. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled');
const clock = createSystemClock();

/** `options` replace the suite's own. */
async function run({ suite, files, title }: Selection, options: string[], show: Show): Promise<SuiteResult> {
  if (suite.config) return runVitest(suite.config, show, ...vitestArgs({ files, title }), ...options);
  const args = options.length > 0 ? options : suite.args;
  const { ok, output } = await runNode([suite.script ?? '', ...files, ...args], show);
  const lines = output.trimEnd().split('\n');
  const [, passed, failed] = /^(\d+) passed, (\d+) failed\s*$/m.exec(lines.at(-1) ?? '') ?? [];
  const counted = { passed: Number(passed ?? (ok ? 1 : 0)), failed: Number(failed ?? (ok ? 0 : 1)) };
  if (ok) return { ...counted, failures: [] };
  const named = lines.filter((line) => line.trimStart().startsWith('✗'));
  return {
    ...counted,
    failed: Math.max(counted.failed, 1),
    failures: [`${suite.name}\n${(named.length > 0 ? named : lines.slice(-LAST_LINES)).join('\n')}`],
    failedFiles: [],
  };
}

function vitestArgs({ files, title }: Pick<Selection, 'files' | 'title'>): string[] {
  return [...files, ...(title === undefined ? [] : ['--testNamePattern', titlePattern(title)])];
}

/** vitest prints groups with or without a separator. */
function titlePattern(title: string): string {
  return title.split(/ > | /).map(RegExp.escape).join('(?: >)? ');
}

async function startServices(started: Service[]): Promise<void> {
  for (const name of serviceNames) {
    const service = await SERVICES[name]();
    started.push(service);
    process.env[SERVICE_VARIABLES[name]] = service.url;
  }
}

/** Starts the needed servers and the set-up of vitest only. */
async function prepare(selections: readonly Selection[]): Promise<void> {
  const files = selections.flatMap((selection) => selection.files);
  if (files.length > 0 && !files.some((file) => APART.test(file))) process.env.PARLEY_TEST_ONLY_PARLEY = '1';
  const needed = new Set(selections.flatMap(({ services }) => services));
  await Promise.all(
    [...needed].map(async (name) => {
      process.env[SERVICE_VARIABLES[name]] ??= await findWarm(name);
    }),
  );
}

async function runSuite(selection: Selection, options: string[], show: Show): Promise<SuiteResult> {
  const started = clock.monotonic();
  let result: SuiteResult = { passed: 0, failed: 1, failures: [`${selection.suite.name} did not run`] };
  try {
    if (!interrupted) result = await run(selection, options, show);
  } catch (error) {
    show(`${inspect(error)}\n`);
  }
  const seconds = ((clock.monotonic() - started) / 1_000).toFixed(0);
  show(`── ${selection.suite.name}: ${result.passed} passed, ${result.failed} failed, ${seconds} s\n`);
  return result;
}

async function runAlone(selection: Selection, options: string[] = []): Promise<SuiteResult> {
  console.log(`\n── ${selection.suite.name}`);
  return runSuite(selection, options, (chunk) => process.stdout.write(chunk));
}

/** Output of parallel suites is shown suite by suite, when each has ended. */
async function runSideBySide(selections: readonly Selection[], options: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const jobs = selections.map((selection) => ({ selection, slots: selection.suite.slots }));
  await runInSlots(SLOTS, jobs, async ({ selection }) => {
    console.log(`\n── ${selection.suite.name} has started`);
    const output: string[] = [];
    outcomes.push({ selection, result: await runSuite(selection, options, (chunk) => output.push(chunk)) });
    process.stdout.write(`\n── ${selection.suite.name}\n${output.join('')}`);
  });
  return outcomes;
}

async function runAll(selections: readonly Selection[], options: string[]): Promise<Outcome[]> {
  const [only] = selections;
  if (only && selections.length === 1) return [{ selection: only, result: await runAlone(only, options) }];
  return runSideBySide(selections, options);
}

/** Watches the units, unless another suite of vitest is named. */
async function watch(words: string[], options: string[]): Promise<void> {
  const [selection, another] = select(words.length === 0 ? ['unit'] : words, process.env.INIT_CWD);
  if (!selection?.suite.config || another)
    throw new Error('Only the tests of one vitest suite can be watched.');
  await prepare([selection]);
  await watchVitest(selection.suite.config, [...vitestArgs(selection), ...options]);
}

async function test(words: string[], options: string[]): Promise<void> {
  const isNightly = words.length === 1 && words[0] === NIGHTLY;
  const isWhole = words.length === 0 || isNightly;
  // What is asked for by its name runs as a whole.
  if (words.length > 0) process.env[NIGHTLY_VARIABLE] = '1';
  const started: Service[] = [];
  let results: SuiteResult[] = [];
  let unsteady: string[] = [];
  try {
    const selections = select(isWhole ? wholeRun : words, process.env.INIT_CWD);
    // Gateways start from the bundle, which takes half the time.
    const needsBundle = selections.some(({ suite }) => suite.name !== 'unit');
    await Promise.all([
      isWhole ? startServices(started) : prepare(selections),
      needsBundle ? buildGateway() : undefined,
    ]);
    const outcomes = await runAll(selections, options);
    if (isWhole) ({ results, unsteady } = await takeSecondLook(outcomes, runAlone));
    else results = outcomes.map(({ result }) => result);
  } finally {
    await Promise.all(started.map((service) => service.stop()));
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (passed + failed === 0) throw new Error(`No test has “${words.join(' ')}” in its title.`);
  // Repeated at the end, where it is easy to find.
  for (const failure of unsteady) console.log(`\n~ passed alone, after it failed beside others: ${failure}`);
  for (const failure of results.flatMap(({ failures }) => failures)) console.log(`\n✗ ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // With its suites ended, the run ends and stops the services.
  process.on(signal, () => {
    interrupted = true;
    interruptScripts();
  });
}

/** `npm test -- <words> <options>`: options begin with the first dash, or after a double dash. */
const [first, ...rest] = process.argv.slice(2);
const [order, args] = first === '--watch' ? [watch, rest] : [test, process.argv.slice(2)];
const end = args.findIndex((arg) => arg.startsWith('-'));
const words = end === -1 ? args : args.slice(0, end);
const options = end === -1 ? [] : args.slice(args[end] === '--' ? end + 1 : end);

try {
  if (first === '--help' || first === '-h') console.log(HELP);
  else await order(words, options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
