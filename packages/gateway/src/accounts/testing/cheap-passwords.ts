import { hashing } from '../passwords.ts';

/** Before each file of tests: a password costs a third of a second on purpose, and hundreds are set and tried on the way to something else. */
hashing.cost = { N: 1_024, r: 8, p: 1 };
