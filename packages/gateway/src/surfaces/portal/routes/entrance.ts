import { operations, type SignedIn } from '@parley/contract';
import {
  type Member,
  openInvitation,
  openRecovery,
  readTwoFactor,
  requireMember,
  signOutEverywhere,
  verifyEmail,
} from '#accounts';
import { type RequestContext, type Route, serve, type Visitor } from '#platform/http';
import { readCookie, type VisitorKind } from '../browser-sessions.ts';
import type { PortalContext } from '../context.ts';

type Headers = Pick<RequestContext, 'header' | 'setHeader'>;
type Visit = Headers & Pick<RequestContext, 'address'>;

/** Signing in and out. */
export function entranceRoutes(context: PortalContext): Route[] {
  const { cookies, browserSessions, knownBrowsers, gate, signIn } = context;

  /** Replaces the session of this browser, if there was one. */
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

type MemberVisit = Pick<RequestContext, 'header' | 'setHeader' | 'address'> & { readonly caller: Visitor };

/** A member's own access: password, second factor, and signed-in browsers. */
export function ownAccessRoutes({
  accounts,
  clock,
  browserSessions,
  cookies,
  signIn,
}: PortalContext): Route[] {
  /** Replaces the token of the current session after all sessions of the member have ended. */
  async function begin({ caller, header, setHeader, address }: MemberVisit): Promise<void> {
    const member = await requireMember(accounts, caller.memberId);
    const token = await browserSessions.beginOfMember(member, { name: header('User-Agent'), address });
    setHeader('Set-Cookie', cookies.give('owner', token));
  }

  return [
    serve(operations.changePassword, async (call) => {
      const { current_password: current, new_password: next } = call.body;
      await signIn.changePassword(call.caller.memberId, { current, next });
      await begin(call);
      return undefined;
    }),
    serve(operations.getTwoFactor, ({ caller }) => readTwoFactor(accounts, caller.memberId)),
    serve(operations.beginTwoFactor, ({ caller, body }) =>
      signIn.beginTwoFactor(caller.memberId, body.password),
    ),
    serve(operations.confirmTwoFactor, async (call) => {
      const codes = await signIn.confirmTwoFactor(call.caller.memberId, call.body.code);
      await begin(call);
      return { recovery_codes: codes };
    }),
    serve(operations.endTwoFactor, async ({ caller, body }) => {
      await signIn.endTwoFactor(caller.memberId, body);
      return undefined;
    }),
    serve(operations.listBrowserSessions, async ({ caller, header }) => {
      const current = cookies.read(header('Cookie'), 'owner') ?? '';
      const member = await requireMember(accounts, caller.memberId);
      return browserSessions.listOf(member, current, clock.now());
    }),
    serve(operations.endBrowserSession, async ({ caller, params }) => {
      await browserSessions.endOne(await requireMember(accounts, caller.memberId), params.session_id);
      return undefined;
    }),
    serve(operations.askForVerification, async ({ caller }) => {
      await signIn.askForVerification(caller.memberId);
      return undefined;
    }),
    serve(operations.signOutEverywhere, async ({ caller, setHeader }) => {
      await signOutEverywhere(accounts, caller.memberId);
      setHeader('Set-Cookie', cookies.takeBack('owner'));
      return undefined;
    }),
  ];
}

/** Routes of the page at `/link/{token}`. */
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

/** Cookie of the first browser that opens a link. */
interface LinkCookie {
  read(header: string | undefined): string | undefined;
  /** Returns a Set-Cookie header. */
  give(token: string, browser: string): string;
}

/** Lifetime: longer than any pairing takes. */
const KEPT_SECONDS = 60 * 60;

function createLinkCookie({ secure }: { secure: boolean }): LinkCookie {
  const name = secure ? '__Secure-parley_link' : 'parley_link';
  return {
    read: (header) => readCookie(header, name),
    // Limited to the path of this link: a browser may hold several.
    give: (token, browser) =>
      `${name}=${browser}; Max-Age=${KEPT_SECONDS}; Path=/portal/api/links/${token}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`,
  };
}
