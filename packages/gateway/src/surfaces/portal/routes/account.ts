import { DELIVERIES_PAGE_DEFAULT, operations } from '@parley/contract';
import {
  acceptTerms,
  actorOf,
  changeMember,
  createApiKey,
  getAccount,
  inviteMember,
  listApiKeyUses,
  readAuditLog,
  readTeam,
  removeMember,
  requireMember,
  revokeApiKey,
  revokeInvitation,
  rollApiKey,
  termsOfAccount,
} from '#accounts';
import {
  changeBuyer,
  csvAnswer,
  getInvoice,
  invoicesOf,
  listInvoices,
  pageOfInvoices,
  pdfAnswer,
  previewPlan,
  readUsage,
} from '#billing';
import { apiError } from '#kernel';
import {
  askForDeletion,
  askForExport,
  cancelDeletion,
  deletionOf,
  downloadExport,
  listExports,
} from '#offboarding';
import { type Route, serve } from '#platform/http';
import type { PortalContext } from '../context.ts';
import { sessionIdsOf } from '../limit-queries.ts';

/** Settings of the account itself, independent of its numbers. */
export function accountRoutes(context: PortalContext): Route[] {
  const { store, accounts, directory, askSandbox } = context;
  return [
    serve(operations.getMe, async ({ caller }) => {
      const { account_id, name, status } = await getAccount(accounts, caller.accountId);
      const { id: member_id, email } = await requireMember(accounts, caller.memberId);
      const { role } = caller;
      const terms = await termsOfAccount(accounts, caller.accountId);
      const visit = caller.visit
        ? { operator: caller.visit.operator, until: new Date(caller.visit.until).toISOString() }
        : null;
      const deletion = await deletionOf(context.life, caller.accountId);
      return {
        account_id,
        name,
        email,
        member_id,
        role,
        status,
        blocked: caller.blocked,
        terms,
        deletion,
        visit,
      };
    }),
    serve(operations.acceptTerms, async ({ caller, body }) => {
      await acceptTerms(accounts, caller, body.version);
      return termsOfAccount(accounts, caller.accountId);
    }),

    serve(operations.listMyApiKeys, async ({ caller, query }) => {
      const { items, nextCursor } = await listApiKeyUses(accounts, caller.accountId, query);
      return { api_keys: items, next_cursor: nextCursor };
    }),
    serve(operations.createMyApiKey, async ({ caller: { accountId, memberId }, body }) => {
      if (body.phone !== undefined && !(await directory.ownedNumber(accountId, body.phone)))
        throw apiError('device_not_found');
      return createApiKey(accounts, actorOf({ id: memberId }), accountId, body);
    }),
    serve(operations.rollMyApiKey, ({ caller: { accountId, memberId }, params, body }) =>
      rollApiKey(accounts, actorOf({ id: memberId }), {
        accountId,
        keyId: params.key_id,
        overlapHours: body.overlap_hours,
      }),
    ),
    serve(operations.revokeMyApiKey, async ({ caller: { accountId, memberId }, params }) => {
      await revokeApiKey(accounts, actorOf({ id: memberId }), accountId, params.key_id);
      return undefined;
    }),

    serve(operations.useSandbox, async ({ caller: { accountId }, body: { method, path, body } }) => {
      if (!askSandbox) throw apiError('not_found');
      const guest = { name: accountId, sessions: await sessionIdsOf(store, accountId) };
      return askSandbox({ guest, method, path, body });
    }),
  ];
}

/** Exports an owner's data, and closes the account. */
export function accountLifeRoutes({ store, life, exports, signIn }: PortalContext): Route[] {
  return [
    serve(operations.askForExport, ({ caller }) => askForExport(life, caller)),
    serve(operations.listExports, async ({ caller }) => {
      const { items, hasMore } = await listExports(life, caller.accountId);
      return { exports: items, has_more: hasMore };
    }),
    serve(operations.downloadExport, (call) => {
      const { accountId, memberId } = call.caller;
      return downloadExport(exports, { accountId, memberId, exportId: call.params.export_id }, call);
    }),
    serve(operations.deleteMyAccount, async ({ caller: { accountId, memberId }, body }) => {
      await signIn.confirmPassword(memberId, body.password);
      return askForDeletion(life, actorOf({ id: memberId }), { accountId });
    }),
    serve(operations.keepMyAccount, async ({ caller: { accountId, memberId } }) => {
      await cancelDeletion(life, actorOf({ id: memberId }), accountId);
      return undefined;
    }),
    serve(operations.listMyAuditLog, async ({ caller, query }) => ({
      entries: await readAuditLog(store, {
        ...query,
        account_id: caller.accountId,
        limit: query.limit ?? DELIVERIES_PAGE_DEFAULT,
      }),
    })),
  ];
}

/** Members of the account. */
export function teamRoutes({ accounts, cookies, signIn }: PortalContext): Route[] {
  return [
    serve(operations.getTeam, ({ caller }) => readTeam(accounts, caller.accountId)),
    serve(operations.inviteMember, async ({ caller: { accountId, memberId }, body, origin }) => {
      await signIn.limitInvitations(accountId, body.email);
      return inviteMember(accounts, { accountId, memberId, origin }, body);
    }),
    serve(operations.revokeInvitation, async ({ caller, params }) => {
      await revokeInvitation(accounts, caller, params.invitation_id);
      return undefined;
    }),
    serve(operations.changeMember, ({ caller, params, body }) =>
      changeMember(accounts, caller, { memberId: params.member_id, role: body.role }),
    ),
    serve(operations.removeMember, async ({ caller, params }) => {
      await removeMember(accounts, caller, params.member_id);
      return undefined;
    }),
    serve(operations.leaveAccount, async ({ caller, setHeader }) => {
      await removeMember(accounts, caller, caller.memberId);
      setHeader('Set-Cookie', cookies.takeBack('owner'));
      return undefined;
    }),
  ];
}

export function billingRoutes({ billing }: PortalContext): Route[] {
  const newestFirst = async (accountId: string) =>
    (await listInvoices(billing, { account_id: accountId })).reverse();

  return [
    serve(operations.getMyUsage, ({ caller }) => readUsage(billing, caller.accountId)),
    serve(operations.changeMyAddress, ({ caller, body }) =>
      changeBuyer(billing, actorOf({ id: caller.memberId }), caller.accountId, body),
    ),
    serve(operations.previewPlan, ({ number, params }) => previewPlan(billing, number.slotId, params.plan)),
    serve(operations.listNumberInvoices, async ({ number }) => ({
      invoices: await invoicesOf(billing, number.slotId),
    })),
    serve(operations.listMyInvoices, async ({ caller, query }) => {
      const choice = { ...query, account_id: caller.accountId, order: 'newest_first' } as const;
      const { items, nextCursor } = await pageOfInvoices(billing, choice);
      return { invoices: items, next_cursor: nextCursor };
    }),
    serve(operations.exportMyInvoices, async (call) =>
      csvAnswer(call, await newestFirst(call.caller.accountId)),
    ),
    serve(operations.getMyInvoice, ({ caller, params }) =>
      getInvoice(billing, params.invoice_id, caller.accountId),
    ),
    serve(operations.getMyInvoicePdf, async (call) =>
      pdfAnswer(call, await getInvoice(billing, call.params.invoice_id, call.caller.accountId)),
    ),
  ];
}
