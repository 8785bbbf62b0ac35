import { join } from 'node:path';
import { inspect } from 'node:util';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import type { HostAnswer, HostRequest } from './test-runner.ts';

const LIMIT_MS = 20_000;
process.env.PARLEY_TEST_PATIENCE_MS = '8000';

/**
 * Keeps vitest loaded, so that a run of one file takes a second or two. Runs in its own process, in the mutated copy, and is
 * replaced when a mutant breaks it.
 */
const vitest = await createVitest(
  'test',
  {
    watch: false,
    bail: 1,
    reporters: [{}],
    maxWorkers: 2,
    // A failed test can leave its thread in a bad state, which would count against the next mutation.
    isolate: true,
    // Of a mutation that makes a test wait for ever.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
  },
  { cacheDir: join(process.cwd(), 'node_modules/.vite') },
);

async function specificationsOf(files: readonly string[]): Promise<TestSpecification[]> {
  const found = await vitest.globTestSpecifications([...files]);
  return found.filter(({ moduleId }) => files.some((file) => moduleId === join(process.cwd(), file)));
}

async function run({ files, changed }: HostRequest): Promise<HostAnswer> {
  for (const file of changed) vitest.invalidateFile(join(process.cwd(), file));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(await specificationsOf(files));
  // Vitest reports all files that it has ever run, with their old results.
  const asked = testModules.filter(({ relativeModuleId }) => files.includes(relativeModuleId));
  return {
    failed: [
      ...asked.flatMap(failuresIn),
      ...unhandledErrors.map((error) => ({ by: `unhandled: ${firstLine(messageOf(error))}` })),
    ],
    files: asked.map((module) => ({ file: module.relativeModuleId, ms: durationOf(module) })),
  };
}

function failuresIn(module: TestModule): HostAnswer['failed'] {
  const byFile = module.relativeModuleId;
  const name = byFile.split('/').at(-1);
  const cases = [...module.children.allTests('failed')].map((test) => ({
    by: `${name} > ${test.fullName}`,
    byFile,
    ms: test.diagnostic()?.duration ?? 0,
  }));
  const others = [module, ...module.children.allSuites()].flatMap((each) => [...each.errors()]);
  // Like a hook that waited in vain.
  return [
    ...cases,
    ...others.map(({ message }) => ({ by: `${name}: ${firstLine(message)}`, byFile, ms: LIMIT_MS })),
  ];
}

function durationOf(module: TestModule): number {
  const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return prepareDuration + setupDuration + collectDuration + duration;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

process.on('message', (request: HostRequest) => {
  run(request).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ failed: [{ by: `vitest: ${messageOf(error)}` }], files: [] }),
  );
});
process.once('disconnect', () => process.exit());
process.send?.({ failed: [], files: [] });
