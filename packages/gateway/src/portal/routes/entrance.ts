import { type Account, operations, type SignedIn } from '@parley/contract';
import { type RequestContext, type Route, serve } from '#http';
import type { VisitorKind } from '../browser-sessions.ts';
import type { PortalContext } from '../context.ts';

type Headers = Pick<RequestContext, 'header' | 'setHeader'>;

export function entranceRoutes(context: PortalContext): Route[] {
  const { cookies, browserSessions, gate, signIn } = context;

  /** Whoever was signed in with this browser before no longer is. */
  async function welcome(account: Account, { header, setHeader }: Headers): Promise<SignedIn> {
    const earlier = cookies.read(header('Cookie'), 'owner');
    if (earlier !== undefined) await browserSessions.end('owner', earlier);
    const token = await browserSessions.beginOfOwner(account.account_id);
    setHeader('Set-Cookie', cookies.give('owner', token));
    const { account_id, name, email } = account;
    return { account_id, name, email };
  }

  async function leave(kind: VisitorKind, { header, setHeader }: Headers): Promise<undefined> {
    const token = cookies.read(header('Cookie'), kind);
    if (token !== undefined) await browserSessions.end(kind, token);
    setHeader('Set-Cookie', cookies.takeBack(kind));
    return undefined;
  }

  return [
    serve(operations.getEntrance, async ({ header }) => {
      const cookie = header('Cookie');
      return {
        sign_up: context.signUpIsOpen,
        operator: context.hasOperator,
        sandbox: context.askSandbox !== undefined,
        signed_in: {
          owner: (await gate.owner(cookie)) !== undefined,
          operator: await gate.isOperator(cookie),
        },
      };
    }),
    serve(operations.signUp, async (call) => welcome(await signIn.signUp(call.body, call.address), call)),
    serve(operations.signIn, async (call) => welcome(await signIn.signIn(call.body, call.address), call)),
    serve(operations.signOut, (call) => leave('owner', call)),
    serve(operations.signInAsOperator, async ({ body, address, setHeader }) => {
      await signIn.signInAsOperator(body.token, address);
      setHeader('Set-Cookie', cookies.give('operator', await browserSessions.beginOfOperator()));
      return undefined;
    }),
    serve(operations.signOutAsOperator, (call) => leave('operator', call)),
  ];
}
