import { PASSWORD_MAX_LENGTH } from '../../limits.ts';
import { NewPassword, ResourceId, SecondFactorCode } from '../../primitives.ts';
import {
  BrowserSessionList,
  Me,
  RecoveryCodes,
  Terms,
  TwoFactor,
  TwoFactorBegun,
} from '../../resources/index.ts';
import { closed, words } from '../../schema.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

/** All of it also for an account that is blocked: it is told why, may accept the terms, and may leave. */
const onOwnAccount = { ...onPortal, answersBlockedAccounts: true } as const;

export const portalAccountOperations = {
  getMe: operation({
    ...onOwnAccount,
    id: 'getMe',
    method: 'GET',
    path: '/portal/api/me',
    summary: 'Ask who is signed in, and what stands in the way',
    answers: { 200: Me },
    errors: [],
  }),
  changePassword: operation({
    ...onOwnAccount,
    id: 'changePassword',
    method: 'POST',
    path: '/portal/api/me/password',
    summary: 'Change the password',
    description: 'Signs out every other browser.',
    body: closed({ current_password: words(PASSWORD_MAX_LENGTH), new_password: NewPassword }),
    answers: { 204: null },
    errors: ['password_wrong', 'sign_in_too_often'],
  }),
  signOutEverywhere: operation({
    ...onOwnAccount,
    id: 'signOutEverywhere',
    method: 'POST',
    path: '/portal/api/sign-out-everywhere',
    summary: 'Sign out in every browser, this one included',
    answers: { 204: null },
    errors: [],
  }),
  getTwoFactor: operation({
    ...onOwnAccount,
    id: 'getTwoFactor',
    method: 'GET',
    path: '/portal/api/me/two-factor',
    summary: 'Ask whether signing in takes a second factor',
    answers: { 200: TwoFactor },
    errors: [],
  }),
  beginTwoFactor: operation({
    ...onOwnAccount,
    id: 'beginTwoFactor',
    method: 'POST',
    path: '/portal/api/me/two-factor',
    summary: 'Get a secret for an authenticator app',
    description: 'Nothing changes until a code of the app has confirmed it.',
    body: closed({ password: words(PASSWORD_MAX_LENGTH) }),
    answers: { 200: TwoFactorBegun },
    errors: ['password_wrong', 'sign_in_too_often', 'two_factor_on'],
  }),
  confirmTwoFactor: operation({
    ...onOwnAccount,
    id: 'confirmTwoFactor',
    method: 'POST',
    path: '/portal/api/me/two-factor/confirm',
    summary: 'Turn two-factor sign-in on, by a code of the app',
    description: 'Signs out every other browser. The recovery codes are shown only in this answer.',
    body: closed({ code: SecondFactorCode }),
    answers: { 200: RecoveryCodes },
    errors: ['code_wrong', 'sign_in_too_often', 'two_factor_on', 'two_factor_off'],
  }),
  endTwoFactor: operation({
    ...onOwnAccount,
    id: 'endTwoFactor',
    method: 'POST',
    path: '/portal/api/me/two-factor/off',
    summary: 'Turn two-factor sign-in off',
    body: closed({ password: words(PASSWORD_MAX_LENGTH), code: SecondFactorCode }),
    answers: { 204: null },
    errors: ['password_wrong', 'code_wrong', 'sign_in_too_often', 'two_factor_off'],
  }),
  listBrowserSessions: operation({
    ...onOwnAccount,
    id: 'listBrowserSessions',
    method: 'GET',
    path: '/portal/api/me/sessions',
    summary: 'List the browsers that one is signed in with',
    answers: { 200: BrowserSessionList },
    errors: [],
  }),
  endBrowserSession: operation({
    ...onOwnAccount,
    id: 'endBrowserSession',
    method: 'DELETE',
    path: '/portal/api/me/sessions/{session_id}',
    summary: 'Sign out in one browser',
    params: closed({ session_id: ResourceId }),
    answers: { 204: null },
    errors: ['browser_session_not_found'],
  }),
  acceptTerms: operation({
    ...onOwnAccount,
    id: 'acceptTerms',
    method: 'POST',
    path: '/portal/api/terms/accept',
    summary: 'Accept the terms of service',
    description: 'Names the version that was read, so that nobody accepts one that came out meanwhile.',
    body: closed({ version: words(64) }),
    answers: { 200: Terms },
    errors: ['tos_superseded'],
  }),
};
