export { createHarness } from './harness.ts';
