import { PASSWORD_MAX_LENGTH } from '../../limits.ts';
import { NewPassword } from '../../primitives.ts';
import { Me, Terms } from '../../resources/index.ts';
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
