import { inspect } from 'node:util';
import { createSystemClock } from '@parley/gateway/kernel';
import { startNats } from './services/nats.ts';
import { startPostgres } from './services/postgres.ts';
import { interruptScripts, runNode, runVitest, type Show, type Tally } from './services/scripts.ts';
import type { Service } from './services/service.ts';

/** Every server that a suite may count on, and the variable that tells it where. */
const services: Record<string, () => Promise<Service>> = {
  PARLEY_TEST_POSTGRES_URL: startPostgres,
  PARLEY_TEST_NATS_URL: startNats,
};

/**
 * All that `npm test` runs; `npm test -- <name> …` runs only those named. A whole-system suite is a script that exits with 0 when it
 * passed; if its last line is `N passed, N failed`, each of these counts, otherwise the script counts as one.
 *
 * Those that keep the machine busy by themselves come first and alone. The others spend much of their time waiting for processes to
 * start, to die and to come back, so several run side by side; the longest are first, so that none is left over in the end.
 */
const suites: Suite[] = [
  { name: 'unit', alone: true, run: (show) => runVitest('vitest.config.ts', show) },
  { name: 'cluster-chaos', alone: true, run: script('test/chaos/cluster/run.ts', '--rounds', '3') },
  { name: 'cluster', run: script('test/cluster/run.ts') },
  { name: 'portal', run: script('test/browser/portal/run.ts') },
  { name: 'conformance', run: (show) => runVitest('vitest.conformance.config.ts', show) },
  { name: 'docs', run: script('test/docs/run.ts') },
  { name: 'sends', run: script('test/chaos/sends/run.ts', '--rounds', '3') },
  { name: 'process', run: script('test/process/run.ts') },
  { name: 'webhooks', run: script('test/chaos/webhooks/run.ts', '--rounds', '3') },
  { name: 'journal', run: script('test/chaos/journal/run.ts', '--rounds', '5') },
  { name: 'examples', run: script('test/examples/run.ts') },
  { name: 'move', run: script('test/scale/move/run.ts', '--sessions', '4') },
  { name: 'restart', run: script('test/chaos/restart/run.ts', '--rounds', '4') },
  { name: 'sessions', run: script('test/scale/sessions/run.ts', '--sessions', '20') },
  { name: 'group-commit', run: script('test/chaos/group-commit/run.ts', '--rounds', '5') },
  { name: 'packaging', run: script('test/packaging/run.ts') },
  { name: 'reference', run: script('test/browser/reference/run.ts') },
  { name: 'guides', run: script('test/browser/guides/run.ts') },
];
const SIDE_BY_SIDE = 2;
const clock = createSystemClock();

interface Suite {
  readonly name: string;
  readonly alone?: true;
  readonly run: (show: Show) => Promise<Tally>;
}

function script(path: string, ...args: string[]): Suite['run'] {
  return async (show) => {
    const { ok, output } = await runNode([path, ...args], show);
    const [, passed, failed] =
      /^(\d+) passed, (\d+) failed\s*$/m.exec(output.trimEnd().split('\n').at(-1) ?? '') ?? [];
    const counted = { passed: Number(passed ?? (ok ? 1 : 0)), failed: Number(failed ?? (ok ? 0 : 1)) };
    return ok ? counted : { ...counted, failed: Math.max(counted.failed, 1) };
  };
}

function choose(names: string[]): Suite[] {
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown)
    throw new Error(`There is no suite ${unknown}; there are ${suites.map(({ name }) => name).join(', ')}.`);
  return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}

async function startServices(started: Service[]): Promise<void> {
  for (const [variable, start] of Object.entries(services)) {
    const service = await start();
    started.push(service);
    process.env[variable] = service.url;
  }
}

async function runSuite({ name, run }: Suite, show: Show): Promise<Tally> {
  const started = clock.monotonic();
  let tally: Tally = { passed: 0, failed: 1 };
  try {
    if (!interrupted) tally = await run(show);
  } catch (error) {
    show(`${inspect(error)}\n`);
  }
  const seconds = ((clock.monotonic() - started) / 1_000).toFixed(0);
  show(`── ${name}: ${tally.passed} passed, ${tally.failed} failed, ${seconds} s\n`);
  return tally;
}

/** What several print at once would be a muddle: each is shown whole when it has ended. */
async function runSideBySide(waiting: Suite[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  async function oneAfterTheOther(): Promise<void> {
    for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
      console.log(`\n── ${suite.name} has started`);
      const output: string[] = [];
      tallies.push(await runSuite(suite, (chunk) => output.push(chunk)));
      process.stdout.write(`\n── ${suite.name}\n${output.join('')}`);
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, oneAfterTheOther));
  return tallies;
}

async function runAlone(suite: Suite): Promise<Tally> {
  console.log(`\n── ${suite.name}`);
  return runSuite(suite, (chunk) => process.stdout.write(chunk));
}

async function runAll(chosen: readonly Suite[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  const [only] = chosen;
  if (only && chosen.length === 1) return [await runAlone(only)];
  for (const suite of chosen.filter(({ alone }) => alone)) tallies.push(await runAlone(suite));
  return [...tallies, ...(await runSideBySide(chosen.filter(({ alone }) => !alone)))];
}

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // With its suites gone, the run comes to its own end and stops the services on the way.
  process.on(signal, () => {
    interrupted = true;
    interruptScripts();
  });
}

const started: Service[] = [];
let tallies: Tally[] = [];
try {
  const chosen = choose(process.argv.slice(2));
  await startServices(started);
  tallies = await runAll(chosen);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  tallies = [{ passed: 0, failed: 1 }];
} finally {
  await Promise.all(started.map((service) => service.stop()));
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
