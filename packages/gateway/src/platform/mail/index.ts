export { line, type Mail, type MailLine } from './mail-text.ts';
export {
  contextOfMail,
  createMailOutbox,
  type MailOutbox,
  type MailTemplates,
  startMailSender,
} from './outbox.ts';
export { checkMail, createMailTransport } from './transport.ts';
