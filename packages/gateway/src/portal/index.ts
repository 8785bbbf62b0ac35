export { failureLetterWriters, failureMails } from './failure-letters.ts';
export { createPortal, type Portal } from './portal.ts';
