/** Word for everything but what runs on request only. */
export const NIGHTLY = 'nightly';

export const NIGHTLY_VARIABLE = 'PARLEY_TEST_NIGHTLY';

/** Whether tests run in further worlds and on further databases too: at night, and when they are asked for by name. */
export const isNightly = process.env[NIGHTLY_VARIABLE] !== undefined;

/** The file that a run adds its tests to, with the assertions of each: `npm run test:counts` compares two of them. */
export const COUNTS_VARIABLE = 'PARLEY_TEST_COUNTS';

/** Set-up of every test file. */
export const SETUP = ['test/runner/patience.ts', 'test/runner/counting.ts'];
