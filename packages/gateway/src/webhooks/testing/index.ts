export * from './harness.ts';
export * from './receivers.ts';
