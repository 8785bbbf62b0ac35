import { runCases } from '../process/run-cases.ts';
import { cases } from './cases.ts';

/** Checks all documents for readers against the gateway. `npm test -- docs -- [part of a title]` */
await runCases(cases, process.argv[2], { shareProcesses: true });
