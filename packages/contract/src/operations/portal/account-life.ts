import Type from 'typebox';
import {
  DELETION_GRACE_DAYS,
  DELIVERIES_PAGE_DEFAULT,
  DELIVERIES_PAGE_MAX,
  EXPORT_KEPT_DAYS,
  PASSWORD_MAX_LENGTH,
} from '../../limits.ts';
import { ResourceId } from '../../primitives.ts';
import { AccountDeletion, AccountExport, AccountExportList, AuditLog } from '../../resources/index.ts';
import { closed, lines } from '../../schema.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

/** Also answered for blocked accounts, so that their members can leave and export their data. */
const onLeaving = { ...onPortal, right: 'administer', answersBlockedAccounts: true } as const;

export const portalAccountLifeOperations = {
  askForExport: operation({
    ...onLeaving,
    id: 'askForExport',
    method: 'POST',
    path: '/portal/api/exports',
    summary: 'Ask for all that the account has, as an archive',
    description: `It is prepared in the background and kept for ${EXPORT_KEPT_DAYS} days. While one is being prepared, that one is answered.`,
    answers: { 202: AccountExport },
    errors: [],
  }),
  listExports: operation({
    ...onLeaving,
    id: 'listExports',
    method: 'GET',
    path: '/portal/api/exports',
    summary: 'List the archives, and how far they have come',
    listBound: '`EXPORTS_LISTED_MAX`.',
    answers: { 200: AccountExportList },
    errors: [],
  }),
  downloadExport: operation({
    ...onLeaving,
    id: 'downloadExport',
    method: 'GET',
    path: '/portal/api/exports/{export_id}/archive',
    summary: 'Download an archive',
    description: 'A ZIP with one file of JSON lines per kind of thing.',
    params: closed({ export_id: ResourceId }),
    answers: { 200: Type.String() },
    answerType: 'application/octet-stream',
    answersRanges: true,
    errors: ['export_not_found', 'media_range_invalid', 'media_store_unreachable'],
  }),
  deleteMyAccount: operation({
    ...onLeaving,
    id: 'deleteMyAccount',
    method: 'POST',
    path: '/portal/api/account/deletion',
    summary: 'Delete the account',
    description: `After ${DELETION_GRACE_DAYS} days its numbers are unlinked and everything of it is erased, except for invoices that have a number. Until then it goes on, without new numbers, and the deletion can be canceled.`,
    body: closed({ password: lines(PASSWORD_MAX_LENGTH) }),
    answers: { 202: AccountDeletion },
    errors: ['password_wrong', 'sign_in_too_often', 'sign_in_busy'],
  }),
  keepMyAccount: operation({
    ...onLeaving,
    id: 'keepMyAccount',
    method: 'DELETE',
    path: '/portal/api/account/deletion',
    summary: 'Keep the account after all',
    answers: { 204: null },
    errors: ['deletion_not_found'],
  }),
  listMyAuditLog: operation({
    ...onPortal,
    id: 'listMyAuditLog',
    method: 'GET',
    right: 'administer',
    path: '/portal/api/audit',
    summary: 'Read who changed what in the account',
    description: 'Newest first; the operator and the gateway itself included.',
    query: closed({
      before: Type.Optional(ResourceId),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: DELIVERIES_PAGE_MAX, default: DELIVERIES_PAGE_DEFAULT }),
      ),
    }),
    answers: { 200: AuditLog },
    errors: [],
  }),
};
