export * from './delivering.ts';
export * from './harness.ts';
export * from './receivers.ts';
