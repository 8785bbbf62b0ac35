import { operations } from '@parley/contract';
import { type RequestContext, type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';
import { createLinkCookie } from '../link-cookie.ts';

/** What the page at `/link/{token}` asks for. */
export function ownerLinkRoutes({ ownerLinks, secure }: PortalContext): Route[] {
  const cookie = createLinkCookie({ secure });
  const visitorOf = ({
    params: { token },
    header,
  }: Pick<RequestContext<typeof operations.getOwnerLink>, 'params' | 'header'>) => ({
    token,
    browser: cookie.read(header('Cookie')),
  });

  return [
    serve(operations.openOwnerLink, async (call) => {
      const { view, browser } = await ownerLinks.open(visitorOf(call));
      if (browser !== undefined) call.setHeader('Set-Cookie', cookie.give(call.params.token, browser));
      return view;
    }),
    serve(operations.getOwnerLink, (call) => ownerLinks.see(visitorOf(call))),
    serve(operations.answerOwnerLink, (call) => ownerLinks.answer(visitorOf(call), call.body)),
    serve(operations.confirmOwnerLink, (call) => ownerLinks.confirm(visitorOf(call))),
    serve(operations.cancelOwnerLink, async (call) => {
      await ownerLinks.cancel(visitorOf(call));
      return undefined;
    }),
  ];
}
