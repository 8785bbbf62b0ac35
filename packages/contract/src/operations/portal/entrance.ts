import { NAME_MAX_LENGTH, PASSWORD_MAX_LENGTH, TOKEN_MAX_LENGTH } from '../../limits.ts';
import { Email, NewPassword } from '../../primitives.ts';
import { PortalEntrance, SignedIn } from '../../resources/index.ts';
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
    body: closed({ email: words(NAME_MAX_LENGTH), password: words(PASSWORD_MAX_LENGTH) }),
    answers: { 200: SignedIn },
    errors: ['sign_in_failed', 'sign_in_too_often'],
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
