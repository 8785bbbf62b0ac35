import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
// Imported by path; the package name would load the whole kernel.
import { createSystemClock } from '../../packages/gateway/src/kernel/time/clock.ts';
import { reachable, servicesOf } from '../../test/runner/sources.ts';
import { SERVICE_VARIABLES } from '../../test/runner/suites.ts';
import { startNats } from '../../test/services/nats.ts';
import { startPostgres } from '../../test/services/postgres.ts';
import { makeScratchCopy } from '../scratch-copy.ts';
import { HELP, type Options, readOptions } from './arguments.ts';
import { chooseTests } from './chosen-tests.ts';
import { createCoverage, type Measurement, type Source } from './coverage.ts';
import { createJudge, type Verdict } from './judge.ts';
import { filesOfRoom, inOrderOf, isNoProduct, type Mutant, mutantByHand, mutantsOf } from './mutants.ts';
import { nearestTests } from './nearest-tests.ts';
import { mapSource } from './points.ts';
import { spotsReaching } from './reach.ts';
import { describe, markdown, resultLine } from './report.ts';
import { createTestRunner } from './test-runner.ts';
import { openTypeCheck } from './type-check.ts';

const ROOT = join(import.meta.dirname, '../..');
const START = { postgres: startPostgres, nats: startNats };
const APART = /^packages\/(?:sandbox|portal)\//;
/** Packages whose sources tests load, in Node.js. */
const PACKAGES = ['gateway/src', 'contract/src', 'sdk/src', 'signal/src'];
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
  const candidates = nearestFirst(chosen, options.tests);
  await using services = await startServices(candidates);
  const environment = {
    ...services.urls,
    ...(candidates.some((test) => APART.test(test)) ? {} : { PARLEY_TEST_ONLY_PARLEY: '1' }),
  };
  const sources = mapSources(chosen);
  const maps = new Map([...sources].map(([path, { map }]) => [path, map]));
  const spotsOf = new Map(chosen.map((mutant) => [mutant, spotsReaching(mutant.file, mutant.place, maps)]));
  const files = [...new Set([...spotsOf.values()].flat().map(({ file }) => file))];
  const measured = await measureTests({ candidates, sources, files, environment, seconds: options.measure });

  using copy = makeScratchCopy(ROOT);
  using runner = createTestRunner(copy.path, environment);
  const judge = createJudge({ runner, copy });
  const verdicts: Verdict[] = [];
  for (const mutant of chosen) {
    const begun = clock.monotonic();
    const isNear = (test: string) => options.tests.includes(test) || dirname(test) === dirname(mutant.file);
    const tests = chooseTests(spotsOf.get(mutant) ?? [], measured, isNear, options.seconds * 1_000);
    const verdict = await judge(mutant, sources.get(mutant.file)?.text ?? '', tests);
    verdicts.push(verdict);
    const seconds = ((clock.monotonic() - begun) / 1_000).toFixed(1);
    console.log(`${verdicts.length}/${chosen.length} ${seconds} s ${describe(verdict)}`);
  }
  for (const [file, reason] of judge.broken)
    console.log(`Not asked, because it fails as things are: ${file} (${reason})`);
  return verdicts;
}

/** Tests that import a mutated file, each at its nearest place. */
function nearestFirst(chosen: readonly Mutant[], first: readonly string[]): string[] {
  const places = new Map<string, number>();
  for (const file of new Set(chosen.map((mutant) => mutant.file)))
    for (const [place, test] of nearestTests(file).entries())
      places.set(test, Math.min(place, places.get(test) ?? place));
  const nearest = [...places].sort(([, one], [, other]) => one - other).map(([test]) => test);
  return [...new Set([...first, ...nearest])];
}

function mapSources(chosen: readonly Mutant[]): Map<string, Source> {
  const paths = [...PACKAGES.flatMap((each) => filesOfRoom(ROOT, each)), ...chosen.map(({ file }) => file)];
  return new Map(
    [...new Set(paths)].map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return [path, { text, map: mapSource(path, text) }];
    }),
  );
}

interface Measuring {
  readonly candidates: readonly string[];
  readonly sources: ReadonlyMap<string, Source>;
  /** Sources in question. */
  readonly files: readonly string[];
  readonly environment: Record<string, string>;
  readonly seconds: number;
}

/** Runs each test once with the recorder in the sources, unless an earlier run has; the nearest first, as long as there is time. */
async function measureTests({ candidates, sources, files, environment, seconds }: Measuring) {
  using copy = makeScratchCopy(ROOT);
  using runner = createTestRunner(copy.path, environment);
  const coverage = createCoverage({
    copy,
    runner,
    sources,
    folder: join(ROOT, 'node_modules/.cache/mutate'),
    textOf: textOfTest,
  });
  const end = clock.monotonic() + seconds * 1_000;
  const measured = new Map<string, Measurement>();
  const late: string[] = [];
  for (const test of candidates) {
    const known = coverage.read(test, files);
    if (!known && clock.monotonic() > end) {
      late.push(test);
      continue;
    }
    const measurement = known ?? (await coverage.measure(test));
    if (typeof measurement === 'string') console.log(`Not asked, because it fails: ${test} (${measurement})`);
    else measured.set(test, measurement);
  }
  const spent = Math.round((clock.monotonic() - end) / 1_000 + seconds);
  console.log(`${measured.size} test files measured in ${spent} s, ${late.length} left out for lack of time`);
  return measured;
}

/** A test with everything below it that is no product. */
function textOfTest(test: string): string {
  const helpers = [...reachable([test])].filter((path) => isNoProduct(path)).sort();
  return helpers.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\0');
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
