import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/runner/longest-first.ts';
import { isNightly, SETUP } from './test/runner/nightly.ts';

/** Tests share their threads: isolation would cost more than the tests themselves. */
const shared = {
  pool: 'threads',
  isolate: false,
  // The option of a group: { tags: 'nightly' }
  tags: [{ name: 'nightly', description: 'holds in one more world what the same tests hold in every run' }],
  // A package's default export is what Node.js makes of it, as in production.
  deps: { interopDefault: false },
  // Many wait for a wire, a server or a process most of the time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  setupFiles: SETUP,
  // Generous: a busy machine must make tests slow, not red.
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

const parley = {
  test: {
    ...shared,
    name: 'parley',
    globalSetup: 'test/runner/left-over.ts',
    setupFiles: [
      ...shared.setupFiles,
      'test/runner/few-keys.ts',
      'packages/gateway/src/accounts/testing/cheap-passwords.ts',
    ],
    include: [
      'packages/{codecs,contract,gateway,sdk,signal}/src/**/*.test.ts',
      '{tools,test/runner}/**/*.test.ts',
    ],
  },
};
const projects = [
  parley,
  // Apart, because it is tried by the library as it comes, and the gateway's driver repairs the library that it shares a thread with.
  {
    test: {
      ...shared,
      name: 'sandbox',
      setupFiles: [...shared.setupFiles, 'test/runner/few-keys.ts'],
      include: ['packages/sandbox/src/**/*.test.ts'],
    },
  },
  // Apart, because its modules are put together as they are for the browser.
  {
    extends: 'packages/portal/vite.config.ts',
    test: { ...shared, name: 'portal', include: ['packages/portal/src/**/*.test.ts'] },
  },
];

const tagsFilter = isNightly ? undefined : ['!nightly'];

/** A single test answers in half the time when the other projects are not set up for it. */
export default defineConfig(
  process.env.PARLEY_TEST_ONLY_PARLEY
    ? { test: { ...parley.test, tagsFilter } }
    : { test: { projects, sequence: { sequencer: LongestFirst }, tags: shared.tags, tagsFilter } },
);
