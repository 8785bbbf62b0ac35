import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import { fault } from '#kernel';
import type { PortalContext } from '../context.ts';

export function sandboxRoutes({ askSandbox }: PortalContext): Route[] {
  return [
    serve(operations.useSandbox, async ({ body: { method, path, body } }) => {
      if (!askSandbox) throw fault('not_found');
      return askSandbox({ method, path, body });
    }),
  ];
}
