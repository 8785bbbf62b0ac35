import { type Account, operations, type SignedIn } from '@parley/contract';
import { type Route, serve } from '#http';
import type { PortalContext } from '../context.ts';
import type { VisitorKind } from '../cookies.ts';
import { LIFETIMES } from '../visits.ts';

type SetHeader = (name: string, value: string) => void;

export function entranceRoutes(context: PortalContext): Route[] {
  const { cookies, visits, gate, door } = context;

  function giveCookie(kind: VisitorKind, token: string, setHeader: SetHeader): void {
    setHeader('Set-Cookie', cookies.give(kind, token, LIFETIMES[kind].wholeMs / 1_000));
  }

  async function welcome(account: Account, setHeader: SetHeader): Promise<SignedIn> {
    giveCookie('owner', await visits.beginOfOwner(account.account_id), setHeader);
    const { account_id, name, email } = account;
    return { account_id, name, email };
  }

  async function leave(
    kind: VisitorKind,
    cookie: string | undefined,
    setHeader: SetHeader,
  ): Promise<undefined> {
    const token = cookies.read(cookie, kind);
    if (token !== undefined) await visits.end(kind, token);
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
    serve(operations.signUp, async ({ body, address, setHeader }) =>
      welcome(await door.signUp(body, address), setHeader),
    ),
    serve(operations.signIn, async ({ body, address, setHeader }) =>
      welcome(await door.signIn(body, address), setHeader),
    ),
    serve(operations.signOut, ({ header, setHeader }) => leave('owner', header('Cookie'), setHeader)),
    serve(operations.signInAsOperator, async ({ body, address, setHeader }) => {
      await door.signInAsOperator(body.token, address);
      giveCookie('operator', await visits.beginOfOperator(), setHeader);
      return undefined;
    }),
    serve(operations.signOutAsOperator, ({ header, setHeader }) =>
      leave('operator', header('Cookie'), setHeader),
    ),
  ];
}
