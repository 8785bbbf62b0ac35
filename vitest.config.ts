import { defineConfig } from 'vitest/config';

/** Unit tests share their threads: isolation would cost more than the tests themselves. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Generous: a busy machine must make tests slow, not red.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
