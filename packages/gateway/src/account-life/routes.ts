import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import type { LifeContext } from './context.ts';
import { askForDeletion, cancelDeletion, publicDeletion } from './deletion/ask.ts';
import { listDeletions } from './deletion/store.ts';

/** What the operator does about the end of accounts. */
export function accountLifeRoutes(context: LifeContext): Route[] {
  return [
    serve(operations.listAccountDeletions, async () => ({
      deletions: (await listDeletions(context.store.read)).map(publicDeletion),
    })),
    serve(operations.deleteAccount, ({ params, query }) =>
      askForDeletion(context, 'operator', { accountId: params.account_id, now: query.now }),
    ),
    serve(operations.cancelAccountDeletion, async ({ params }) => {
      await cancelDeletion(context, 'operator', params.account_id);
      return undefined;
    }),
  ];
}
