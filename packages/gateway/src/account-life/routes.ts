import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import { pageOf } from '#kernel';
import type { LifeContext } from './context.ts';
import { askForDeletion, cancelDeletion, publicDeletion } from './deletion/ask.ts';
import { listDeletions } from './deletion/store.ts';

/** What the operator does about the end of accounts. */
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
