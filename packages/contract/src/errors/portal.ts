import { MEMBERS_MAX } from '../limits.ts';
import type { ErrorDefinition } from './error-type.ts';

export const portalErrors = {
  sign_in_required: {
    status: 401,
    text: 'sign in first',
    advice: 'The visit to the portal has ended. Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    text: 'email or password is wrong',
    advice: 'The answer does not say which of the two is wrong.',
  },
  sign_in_too_often: {
    status: 429,
    text: 'too many sign-in attempts; wait a little',
    retryAfterSeconds: 'given',
    advice: 'Wait for `Retry-After`. Others are not kept out by it.',
  },
  sign_in_busy: {
    status: 503,
    text: 'too many sign in at this moment; retry shortly',
    retryAfterSeconds: 5,
    advice: 'Wait for `Retry-After`. A browser that its owner has used before goes first.',
  },
  sign_up_closed: {
    status: 403,
    text: 'sign-up is closed; ask the operator for an account',
    advice: 'The operator has set `PARLEY_SIGN_UP` to `closed`, or left it so in production.',
  },
  second_factor_required: {
    status: 401,
    text: 'enter the code of your authenticator app',
    advice: 'The password is right. Send it again with `code`.',
  },
  code_wrong: {
    status: 403,
    text: 'code is wrong, or was used before',
    advice:
      'A code of the app is good for half a minute, once; so is the clock of the phone to be right. A recovery code is good once. After five wrong ones wait for `Retry-After`.',
  },
  two_factor_on: {
    status: 409,
    text: 'two-factor sign-in is on already',
    advice: 'Turn it off first to enrol another app.',
  },
  two_factor_off: {
    status: 409,
    text: 'two-factor sign-in is off',
    advice: 'There is nothing to confirm or to turn off. Begin with the password.',
  },
  browser_session_not_found: {
    status: 404,
    text: 'this browser is signed out already',
    advice: 'It was signed out, or its time is over.',
  },
  email_not_verified: {
    status: 403,
    text: 'email address is not verified; follow the link in the mail',
    advice: 'Follow the link in the mail that came after signing up, or ask for another one.',
  },
  role_lacks_right: {
    status: 403,
    text: 'your role in this account does not allow that',
    advice:
      'Owners may do everything, developers all but money and people, read-only members only look. An owner can change the role. See [The portal](portal.md#team).',
  },
  last_owner: {
    status: 409,
    text: 'an account needs an owner; make another member an owner first',
    advice: 'Make another member an owner first.',
  },
  invitation_not_found: {
    status: 404,
    text: 'invitation not found',
    advice: 'It was taken back, accepted, or is over.',
  },
  too_many_members: {
    status: 409,
    text: `an account has at most ${MEMBERS_MAX} members and invitations`,
    advice: 'Remove a member, or take an invitation back.',
  },
  mail_off: {
    status: 409,
    text: 'this gateway sends no mail; ask its operator for a link',
    advice:
      'The operator has set no `PARLEY_MAIL_URL`. `parley account reset-password` makes a link that works without mail.',
  },
  password_wrong: {
    status: 403,
    text: 'current password is wrong',
    advice: 'Changing it takes the old password.',
  },
  tos_superseded: {
    status: 409,
    text: 'this version of the terms is neither in force nor announced',
    advice: 'A newer version was published meanwhile. Load the page again.',
  },
  plan_by_operator: {
    status: 403,
    text: 'the plan of this number is changed by the operator',
    advice: 'Its plan was negotiated. Ask the operator.',
  },
  link_not_found: {
    status: 404,
    text: 'this link is not valid any more; ask for a new one',
    advice: 'The pairing behind the link is over, or there never was one. Start another, and send its `url`.',
  },
  link_taken: {
    status: 403,
    text: 'this link was opened in another browser; ask for a new one',
    advice: 'A link works only in the first browser that opens it. Continue there, or start another pairing.',
  },
  request_forged: {
    status: 403,
    text: 'request did not come from the portal',
    advice: 'The request lacks what only the portal’s own pages send.',
  },
} as const satisfies Record<string, ErrorDefinition>;
