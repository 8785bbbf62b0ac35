import { defineConfig } from 'vitest/config';

/** The whole of `docs/operating.md` on one machine, in one story: `node test/operating/run.ts`. */
export default defineConfig({
  test: {
    include: ['test/operating/**/*.test.ts'],
    setupFiles: 'test/runner/patience.ts',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    bail: 1,
  },
});
