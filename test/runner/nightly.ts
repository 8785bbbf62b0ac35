/** Word for everything but what runs on request only. */
export const NIGHTLY = 'nightly';

export const NIGHTLY_VARIABLE = 'PARLEY_TEST_NIGHTLY';

/** Whether tests run in further worlds and on further databases too: at night, and when they are asked for by name. */
export const isNightly = process.env[NIGHTLY_VARIABLE] !== undefined;
