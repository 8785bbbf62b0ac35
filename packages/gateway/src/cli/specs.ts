/** All commands as data, without their code. */
export * from './specs/account.ts';
export * from './specs/operator.ts';
export * from './specs/running.ts';
