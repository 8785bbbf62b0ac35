export { failureLetterWriters, failureMails } from './failure-letters.ts';
export { createPortal } from './portal.ts';
