import { mergeConfig } from 'vitest/config';
import conformance from './vitest.conformance.config.ts';

/** The same tests, and those of what only several processes have. `test/cluster/run.ts` says that every gateway is a cluster. */
export default mergeConfig(conformance, {
  test: {
    include: ['test/cluster/**/*.test.ts'],
    // Clients, ours among them, judge what is said, which does not depend on how many say it.
    exclude: ['test/conformance/{cloud,evolution}/**', 'test/conformance/sdk*.test.ts', 'test/foreign/**'],
    // Whoever starts a gateway of its own, or stops it in between, waits for three.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
