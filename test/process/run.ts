import { cases } from './cases.ts';
import { runCases } from './run-cases.ts';

/** Starts and stops real gateways by their command, as an operator does. `npm test -- process -- [part of a title]` */
await runCases(cases, process.argv[2]);
