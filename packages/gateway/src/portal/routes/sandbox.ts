import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import { fault } from '#kernel';
import type { PortalContext } from '../context.ts';
import { sessionIdsOf } from '../store.ts';

export function sandboxRoutes({ store, askSandbox }: PortalContext): Route[] {
  return [
    serve(operations.useSandbox, async ({ caller: { accountId }, body: { method, path, body } }) => {
      if (!askSandbox) throw fault('not_found');
      const guest = { name: accountId, sessions: await sessionIdsOf(store, accountId) };
      return askSandbox({ guest, method, path, body });
    }),
  ];
}
