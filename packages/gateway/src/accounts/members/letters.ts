import type { LetterWriters } from '#mail';
import { writeTermsLetter } from '../terms/notices.ts';
import type { MembersContext } from './context.ts';
import { writeInvitationLetter } from './invitations.ts';
import { writeRecoveryLetter } from './recovery.ts';
import { writeVerificationLetter } from './verification.ts';
import { writeVisitLetter } from './visits.ts';

/** Every mail that is about a member. */
export function letterWriters(context: MembersContext): LetterWriters {
  return {
    password: (matter) => writeRecoveryLetter(context, matter),
    email: (matter) => writeVerificationLetter(context, matter),
    invitation: (matter) => writeInvitationLetter(context, matter),
    visit: (matter) => writeVisitLetter(context, matter),
    terms: (matter) => writeTermsLetter(context, matter),
  };
}
