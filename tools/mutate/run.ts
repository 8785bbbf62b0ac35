import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// Imported by path; the package name would load the whole kernel.
import { createSystemClock } from '../../packages/gateway/src/kernel/time/clock.ts';
import { servicesOf } from '../../test/runner/sources.ts';
import { SERVICE_VARIABLES } from '../../test/runner/suites.ts';
import { startNats } from '../../test/services/nats.ts';
import { startPostgres } from '../../test/services/postgres.ts';
import { makeScratchCopy } from '../scratch-copy.ts';
import { HELP, type Options, readOptions } from './arguments.ts';
import { createJudge, type Verdict } from './judge.ts';
import { filesOfRoom, inOrderOf, type Mutant, mutantByHand, mutantsOf } from './mutants.ts';
import { nearestTests } from './nearest-tests.ts';
import { describe, markdown, resultLine } from './report.ts';
import { createTestRunner } from './test-runner.ts';
import { createTimedTests } from './timed-tests.ts';
import { openTypeCheck } from './type-check.ts';

const ROOT = join(import.meta.dirname, '../..');
const START = { postgres: startPostgres, nats: startNats };
const APART = /^packages\/(?:sandbox|portal)\//;
const clock = createSystemClock();
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compiled');

/** Compiling mutants, in the order of the seed. */
function choose({ room, line, to, seed, count }: Options): { chosen: Mutant[]; uncompiled: number } {
  const [file] = line ? filesOfRoom(ROOT, line.file) : [];
  if (line && file && to !== undefined)
    return { chosen: [mutantByHand(ROOT, file, line.number, to)], uncompiled: 0 };
  const candidates =
    line && file
      ? mutantsOf(ROOT, file).filter((mutant) => mutant.line === line.number)
      : inOrderOf(
          seed,
          filesOfRoom(ROOT, room).flatMap((each) => mutantsOf(ROOT, each)),
        );
  const check = openTypeCheck(ROOT);
  const chosen: Mutant[] = [];
  let uncompiled = 0;
  for (const mutant of candidates) {
    if (!line && chosen.length === count) break;
    if (check.compiles(mutant.file, mutant.source)) chosen.push(mutant);
    else uncompiled += 1;
  }
  check.close();
  return { chosen, uncompiled };
}

async function judgeAll(chosen: readonly Mutant[], options: Options): Promise<Verdict[]> {
  const testsOf = new Map(
    chosen.map(({ file }) => [file, [...new Set([...options.tests, ...nearestTests(file)])]]),
  );
  const all = [...new Set([...testsOf.values()].flat())];
  await using services = await startServices(all);
  using copy = makeScratchCopy(ROOT);
  using runner = createTestRunner(copy.path, {
    ...services.urls,
    ...(all.some((test) => APART.test(test)) ? {} : { PARLEY_TEST_ONLY_PARLEY: '1' }),
  });
  const timed = createTimedTests(runner, options.seconds * 1_000);
  const judgeInTime = createJudge({ runner, copy, timed });
  const verdicts: Verdict[] = [];
  for (const mutant of chosen) {
    const begun = clock.monotonic();
    const original = readFileSync(join(ROOT, mutant.file), 'utf8');
    const verdict = await judgeInTime(mutant, original, testsOf.get(mutant.file) ?? []);
    verdicts.push(verdict);
    const seconds = ((clock.monotonic() - begun) / 1_000).toFixed(1);
    console.log(`${verdicts.length}/${chosen.length} ${seconds} s ${describe(verdict)}`);
  }
  for (const [file, reason] of timed.broken)
    console.log(`Not asked, because it fails as things are: ${file} (${reason})`);
  return verdicts;
}

/** Once, for all mutations. */
async function startServices(tests: readonly string[]) {
  const names = servicesOf(tests);
  const started = await Promise.all(names.map(async (name) => ({ name, ...(await START[name]()) })));
  return {
    urls: Object.fromEntries(started.map(({ name, url }) => [SERVICE_VARIABLES[name], url])),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((service) => service.stop()));
    },
  };
}

async function mutate(args: string[]): Promise<void> {
  const options = readOptions(args);
  const { chosen, uncompiled } = choose(options);
  if (chosen.length === 0) throw new Error('There is nothing to mutate that would compile.');
  const verdicts = await judgeAll(chosen, options);
  const report = {
    room: options.room,
    command: `npm run mutate -- ${args.join(' ')}`,
    commit: execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    date: new Date(clock.now()).toISOString().slice(0, 10),
    verdicts,
    uncompiled,
  };
  console.log(`\n${markdown(report)}`);
  if (options.out) writeFileSync(options.out, markdown(report));
  console.log(resultLine(report));
}

if (process.argv.includes('--help')) console.log(HELP);
else
  await mutate(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
