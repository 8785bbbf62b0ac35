import { operations, type SignedIn } from '@parley/contract';
import { type Member, openInvitation, openRecovery, verifyEmail } from '#accounts';
import { type RequestContext, type Route, serve } from '#http';
import type { VisitorKind } from '../browser-sessions.ts';
import type { PortalContext } from '../context.ts';

type Headers = Pick<RequestContext, 'header' | 'setHeader'>;
type Visit = Headers & Pick<RequestContext, 'address'>;

export function entranceRoutes(context: PortalContext): Route[] {
  const { cookies, browserSessions, knownBrowsers, gate, signIn } = context;

  /** Whoever was signed in with this browser before no longer is. */
  async function welcome(member: Member, { header, setHeader, address }: Visit): Promise<SignedIn> {
    const earlier = cookies.read(header('Cookie'), 'owner');
    if (earlier !== undefined) await browserSessions.end('owner', earlier);
    const token = await browserSessions.beginOfMember(member, { name: header('User-Agent'), address });
    setHeader('Set-Cookie', cookies.give('owner', token));
    setHeader('Set-Cookie', knownBrowsers.remember(header('Cookie'), member.email));
    return { account_id: member.accountId, name: member.name, email: member.email };
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
        mail: context.accounts.mail !== undefined,
        signed_in: {
          owner: (await gate.owner(cookie)) !== undefined,
          operator: await gate.isOperator(cookie),
        },
      };
    }),
    serve(operations.signUp, async (call) => welcome(await signIn.signUp(call.body, call.address), call)),
    serve(operations.signIn, async (call) => {
      const isKnown = knownBrowsers.isKnown(call.header('Cookie'), call.body.email);
      return welcome(await signIn.signIn(call.body, { address: call.address, isKnown }), call);
    }),
    serve(operations.askForRecovery, async ({ body, address }) => {
      await signIn.askForRecovery(body.email, address);
      return undefined;
    }),
    serve(operations.openRecovery, ({ body }) => openRecovery(context.accounts, body.token)),
    serve(operations.recoverPassword, async ({ body, address }) => {
      await signIn.recoverPassword({ token: body.token, password: body.new_password }, address);
      return undefined;
    }),
    serve(operations.verifyEmail, async ({ body }) => {
      await verifyEmail(context.accounts, body.token);
      return undefined;
    }),
    serve(operations.openInvitation, ({ body }) => openInvitation(context.accounts, body.token)),
    serve(operations.acceptInvitation, async (call) =>
      welcome(await signIn.acceptInvitation(call.body, call.address), call),
    ),
    serve(operations.signOut, (call) => leave('owner', call)),
    serve(operations.signInAsOperator, async ({ body, address, setHeader }) => {
      await signIn.signInAsOperator(body.token, address);
      setHeader('Set-Cookie', cookies.give('operator', await browserSessions.beginOfOperator()));
      return undefined;
    }),
    serve(operations.signOutAsOperator, (call) => leave('operator', call)),
  ];
}
