export * from './harness.ts';
