import type { MailTemplates } from '#platform/mail';
import type { MembersContext } from '../context.ts';
import { termsMail } from '../terms/terms.ts';
import { recoveryMail, verificationMail } from './links.ts';
import { invitationMail } from './team.ts';
import { visitMail } from './visits.ts';

/** Every mail that is about a member. */
export function createMailTemplates(context: MembersContext): MailTemplates {
  return {
    password: (matter) => recoveryMail(context, matter),
    email: (matter) => verificationMail(context, matter),
    invitation: (matter) => invitationMail(context, matter),
    visit: (matter) => visitMail(context, matter),
    terms: (matter) => termsMail(context, matter),
  };
}
