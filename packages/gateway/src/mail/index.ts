export { checkMail } from './check.ts';
export { type Letter, type LetterLine, line } from './letter.ts';
export { contextOfMail, createMailOutbox, type LetterWriters, type MailOutbox } from './outbox.ts';
export { startMailSender } from './sender.ts';
export { createMailTransport } from './transport.ts';
