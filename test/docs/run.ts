import { runCases } from '../process/run-cases.ts';
import { cases } from './cases.ts';

/** Holds everything that is written for readers to what the gateway does. `npm test -- docs -- [part of a title]` */
await runCases(cases, process.argv[2], { shareProcesses: true });
