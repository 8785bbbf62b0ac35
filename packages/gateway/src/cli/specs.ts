/** Every command, as data: nothing here is loaded for its own sake. */
export * from './specs/account.ts';
export * from './specs/billing.ts';
export * from './specs/operator.ts';
export * from './specs/running.ts';
export * from './specs/sandbox.ts';
