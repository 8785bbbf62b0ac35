import Type from 'typebox';
import { DELETION_GRACE_DAYS, NAME_MAX_LENGTH, VISIT_MINUTES } from '../limits.ts';
import { AccountDeletion, AccountDeletionList, AccountVisit } from '../resources/index.ts';
import { closed, line } from '../schema.ts';
import { operation } from './operation.ts';
import { listPage } from './pages.ts';
import { accountPath } from './paths.ts';

const onOperator = { tag: 'Operator', surface: 'operator', limits: [] } as const;
const onAccount = { ...onOperator, subject: 'account', params: accountPath } as const;

/** The operator's operations on the end of accounts. */
export const accountLifeOperations = {
  listAccountDeletions: operation({
    ...onOperator,
    id: 'listAccountDeletions',
    method: 'GET',
    path: '/operator/v1/account-deletions',
    summary: 'List accounts that are to be deleted',
    query: closed(listPage),
    answers: { 200: AccountDeletionList },
    errors: [],
    sdk: 'accounts',
  }),
  deleteAccount: operation({
    ...onAccount,
    id: 'deleteAccount',
    method: 'DELETE',
    path: '/operator/v1/accounts/{account_id}',
    summary: 'Delete an account',
    description: `After ${DELETION_GRACE_DAYS} days its numbers are unlinked and everything of it is erased, except for invoices that have a number. Until then it goes on, without new numbers, and the deletion can be canceled.`,
    query: closed({
      now: Type.Optional(Type.Boolean({ description: 'True leaves out the days of grace.' })),
    }),
    answers: { 202: AccountDeletion },
    errors: [],
    sdk: 'accounts',
    cli: ['account delete'],
  }),
  visitAccount: operation({
    ...onAccount,
    id: 'visitAccount',
    method: 'POST',
    path: '/operator/v1/accounts/{account_id}/visit',
    summary: 'Look at the portal as an account sees it',
    description: `Signs the browser that asks in for ${VISIT_MINUTES} minutes. Nothing can be changed, conversations are not shown, and the owners of the account read who looked and why.`,
    body: closed({ name: line(NAME_MAX_LENGTH), reason: Type.Optional(line(NAME_MAX_LENGTH)) }),
    answers: { 201: AccountVisit },
    errors: [],
    sdk: 'accounts',
  }),
  cancelAccountDeletion: operation({
    ...onAccount,
    id: 'cancelAccountDeletion',
    method: 'DELETE',
    path: '/operator/v1/accounts/{account_id}/deletion',
    summary: 'Keep an account that was to be deleted',
    answers: { 204: null },
    errors: ['deletion_not_found'],
    sdk: 'accounts.keep',
    cli: ['account keep'],
  }),
};
