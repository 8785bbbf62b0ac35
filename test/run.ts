import { startNats } from './services/nats.ts';
import { startPostgres } from './services/postgres.ts';
import { interruptScripts, runNode, runVitest, type Tally } from './services/scripts.ts';
import type { Service } from './services/service.ts';

/** Every server that a suite may count on, and the variable that tells it where. */
const services: Record<string, () => Promise<Service>> = {
  PARLEY_TEST_POSTGRES_URL: startPostgres,
  PARLEY_TEST_NATS_URL: startNats,
};

/**
 * All that `npm test` runs, in this order; `npm test -- <name> …` runs only those named. A whole-system suite is a script that
 * exits with 0 when it passed; if its last line is `N passed, N failed`, each of these counts, otherwise the script counts as one.
 */
const suites: Suite[] = [
  { name: 'unit', run: () => runVitest('vitest.config.ts') },
  { name: 'conformance', run: () => runVitest('vitest.conformance.config.ts') },
  { name: 'cluster', run: script('test/cluster/run.ts') },
  { name: 'process', run: script('test/process/run.ts') },
  { name: 'group-commit', run: script('test/chaos/group-commit/run.ts', '--rounds', '5') },
  { name: 'restart', run: script('test/chaos/restart/run.ts', '--rounds', '4') },
  { name: 'journal', run: script('test/chaos/journal/run.ts', '--rounds', '5') },
  { name: 'sends', run: script('test/chaos/sends/run.ts', '--rounds', '3') },
  { name: 'webhooks', run: script('test/chaos/webhooks/run.ts', '--rounds', '3') },
  { name: 'cluster-chaos', run: script('test/chaos/cluster/run.ts', '--rounds', '3') },
  { name: 'sessions', run: script('test/scale/sessions/run.ts', '--sessions', '20') },
  { name: 'docs', run: script('test/docs/run.ts') },
  { name: 'examples', run: script('test/examples/run.ts') },
  { name: 'move', run: script('test/scale/move/run.ts', '--sessions', '4') },
  { name: 'packaging', run: script('test/packaging/run.ts') },
  { name: 'reference', run: script('test/browser/reference/run.ts') },
  { name: 'guides', run: script('test/browser/guides/run.ts') },
  { name: 'portal', run: script('test/browser/portal/run.ts') },
];

interface Suite {
  readonly name: string;
  readonly run: () => Promise<Tally>;
}

function script(path: string, ...args: string[]): Suite['run'] {
  return async () => {
    const { ok, output } = await runNode([path, ...args]);
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

async function runSuite({ name, run }: Suite): Promise<Tally> {
  console.log(`\n── ${name}`);
  if (interrupted) return { passed: 0, failed: 1 };
  try {
    return await run();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
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
const tallies: Tally[] = [];
try {
  const chosen = choose(process.argv.slice(2));
  await startServices(started);
  for (const suite of chosen) tallies.push(await runSuite(suite));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  tallies.push({ passed: 0, failed: 1 });
} finally {
  await Promise.all(started.map((service) => service.stop()));
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
