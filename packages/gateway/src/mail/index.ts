export { checkMail } from './check.ts';
export { contextOfMail, createMailOutbox, type LetterWriters, type MailOutbox } from './outbox.ts';
export { startMailSender } from './sender.ts';
export { createMailTransport, type Letter } from './transport.ts';
