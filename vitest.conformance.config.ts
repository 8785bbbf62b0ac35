import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/runner/longest-first.ts';
import { SETUP } from './test/runner/nightly.ts';

/** Black-box tests: HTTP on one side, virtual phones on the other, one gateway process in the middle. */
export default defineConfig({
  test: {
    include: ['test/{conformance,foreign}/**/*.test.ts'],
    // The option of a group: { tags: 'anywhere' }
    tags: [{ name: 'anywhere', description: 'cannot differ where several processes share the work' }],
    globalSetup: 'test/conformance/shared-gateway.ts',
    setupFiles: SETUP,
    sequence: { sequencer: LongestFirst },
    pool: 'threads',
    isolate: false,
    // The work is done by the gateway, which has one main thread.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
