import { DELIVERIES_PAGE_DEFAULT, operations } from '@parley/contract';
import { askForDeletion, askForExport, cancelDeletion, downloadExport, listExports } from '#account-life';
import { actorOf, readAuditLog } from '#accounts';
import { type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';

/** How an owner takes along what is theirs, and leaves for good. */
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
