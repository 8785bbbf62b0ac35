import { rulesAtFirst } from '../../packages/sandbox/src/world/standing/standing.ts';

/** Before each test file: hundreds of numbers are linked as a preparation, and none of them needs 812 one-time keys. */
rulesAtFirst.fewKeys = true;
