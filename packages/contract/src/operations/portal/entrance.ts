import Type from 'typebox';
import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, TOKEN_MAX_LENGTH } from '../../limits.ts';
import { Email, LinkToken, NewPassword, SecondFactorCode } from '../../primitives.ts';
import { LinkOpened, PortalEntrance, SignedIn } from '../../resources/index.ts';
import { closed, words } from '../../schema.ts';
import { operation } from '../operation.ts';

const atEntrance = { tag: 'Portal', surface: 'portal_entrance', limits: [] } as const;

/** What anybody may ask before signing in. */
export const portalEntranceOperations = {
  getEntrance: operation({
    ...atEntrance,
    id: 'getEntrance',
    method: 'GET',
    path: '/portal/api/entrance',
    summary: 'Ask what is behind the door, and who has come in already',
    answers: { 200: PortalEntrance },
    errors: [],
  }),
  signUp: operation({
    ...atEntrance,
    id: 'signUp',
    method: 'POST',
    path: '/portal/api/sign-up',
    summary: 'Open an account, and sign in',
    body: closed({ name: words(NAME_MAX_LENGTH), email: Email, password: NewPassword }),
    answers: { 201: SignedIn },
    errors: ['sign_up_closed', 'email_taken', 'sign_in_too_often'],
  }),
  signIn: operation({
    ...atEntrance,
    id: 'signIn',
    method: 'POST',
    path: '/portal/api/sign-in',
    summary: 'Sign in',
    description:
      'Whoever has turned two-factor sign-in on is asked for a `code` when the password is right: one of the authenticator app, or a recovery code.',
    body: closed({
      email: words(NAME_MAX_LENGTH),
      password: words(PASSWORD_MAX_LENGTH),
      code: Type.Optional(SecondFactorCode),
    }),
    answers: { 200: SignedIn },
    errors: ['sign_in_failed', 'sign_in_too_often', 'second_factor_required', 'code_wrong'],
  }),
  askForRecovery: operation({
    ...atEntrance,
    id: 'askForRecovery',
    method: 'POST',
    path: '/portal/api/recovery',
    summary: 'Ask for a link by mail to choose a new password',
    description: 'The same answer whether or not anybody has this address.',
    body: closed({ email: Email }),
    answers: { 204: null },
    errors: ['mail_off', 'sign_in_too_often'],
  }),
  openRecovery: operation({
    ...atEntrance,
    id: 'openRecovery',
    method: 'POST',
    path: '/portal/api/recovery/open',
    summary: 'Ask whom a link for a new password was made for',
    body: closed({ token: LinkToken }),
    answers: { 200: LinkOpened },
    errors: ['link_not_found'],
  }),
  recoverPassword: operation({
    ...atEntrance,
    id: 'recoverPassword',
    method: 'POST',
    path: '/portal/api/recovery/password',
    summary: 'Choose a new password by a link',
    description: 'The link is good once. Signs out every browser of that person.',
    body: closed({ token: LinkToken, new_password: NewPassword }),
    answers: { 204: null },
    errors: ['link_not_found', 'sign_in_too_often'],
  }),
  signOut: operation({
    ...atEntrance,
    id: 'signOut',
    method: 'POST',
    path: '/portal/api/sign-out',
    summary: 'Sign out in this browser',
    description: 'Also answered when nobody is signed in.',
    answers: { 204: null },
    errors: [],
  }),
  signInAsOperator: operation({
    ...atEntrance,
    id: 'signInAsOperator',
    method: 'POST',
    path: '/portal/api/operator/sign-in',
    summary: 'Sign in as the operator',
    description: 'Afterwards the operator API takes the cookie of this browser in place of the token.',
    body: closed({ token: words(TOKEN_MAX_LENGTH) }),
    answers: { 204: null },
    errors: ['not_found', 'operator_token_invalid', 'sign_in_too_often'],
  }),
  signOutAsOperator: operation({
    ...atEntrance,
    id: 'signOutAsOperator',
    method: 'POST',
    path: '/portal/api/operator/sign-out',
    summary: 'Sign out as the operator in this browser',
    answers: { 204: null },
    errors: [],
  }),
};
