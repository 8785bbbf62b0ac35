import { operations } from '@parley/contract';
import { pageOf } from '#kernel';
import { type Route, serve } from '#platform/http';
import type { LifeContext } from './context.ts';
import { askForDeletion, cancelDeletion, publicDeletion } from './deletion.ts';
import { listDeletions } from './offboarding-queries.ts';

/** Operator routes for the deletion of accounts. */
export function accountLifeRoutes(context: LifeContext): Route[] {
  return [
    serve(operations.listAccountDeletions, async ({ query }) => {
      const rows = await listDeletions(context.store.read, query);
      const { items, nextCursor } = pageOf(rows, query, ({ account_id }) => account_id);
      return { deletions: items.map(publicDeletion), next_cursor: nextCursor };
    }),
    serve(operations.deleteAccount, ({ params, query }) =>
      askForDeletion(context, 'operator', { accountId: params.account_id, now: query.now }),
    ),
    serve(operations.cancelAccountDeletion, async ({ params }) => {
      await cancelDeletion(context, 'operator', params.account_id);
      return undefined;
    }),
  ];
}
