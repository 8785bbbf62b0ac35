export { failureMails, failureMailTemplates } from './failure-mails.ts';
export { createPortal, type Portal } from './portal.ts';
