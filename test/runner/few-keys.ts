import { rulesAtFirst } from '../../packages/sandbox/src/world/standing/standing.ts';

/** Before each file of tests: hundreds of numbers are linked on the way to something else, and none of them needs 812 one-time keys. */
rulesAtFirst.fewKeys = true;
