import type { BrowserContext } from 'playwright-core';
import { OPERATOR_TOKEN, type PortalGateway } from './gateway.ts';

export interface Owner {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

const PASSWORD = 'correct horse battery staple';
let count = 0;

/** An account that no other check uses. */
export async function makeOwner(gateway: PortalGateway, name = 'Acme'): Promise<Owner> {
  count += 1;
  const email = `owner-${count}@example.com`;
  const body = { name, email, password: PASSWORD };
  const { account_id: accountId } = await gateway.operator<{ account_id: string }>('POST', '/accounts', body);
  return { accountId, name, email, password: PASSWORD };
}

export async function registerNumber(
  gateway: PortalGateway,
  { accountId }: Owner,
  phone: string,
  plan = 'max',
): Promise<void> {
  await gateway.operator('POST', `/accounts/${accountId}/devices`, { phone, plan });
}

/** Creates a virtual phone as the owner: an account sees only phones that it created. */
export async function bringPhone(
  gateway: PortalGateway,
  owner: Owner,
  { phone, name }: { phone: string; name: string },
): Promise<void> {
  const cookie = await cookieOf(gateway, owner);
  const asked = { method: 'POST', path: '/phones', body: { phone, name } };
  const answer = await post(gateway, '/portal/api/sandbox', asked, { cookie });
  const { status, body } = (await answer.json()) as { status: number; body: unknown };
  if (status !== 201) throw new Error(`${phone}: ${status} ${JSON.stringify(body)}`);
}

const cookies = new Map<string, Promise<string>>();

/** Session cookie of a browser that stays signed in, listed among the owner's sessions. */
function cookieOf(gateway: PortalGateway, { email, password }: Owner): Promise<string> {
  const known = cookies.get(email);
  if (known) return known;
  const made = post(gateway, '/portal/api/sign-in', { email, password }).then(({ headers }) =>
    headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; '),
  );
  cookies.set(email, made);
  return made;
}

const PHONE_BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

async function post(
  gateway: PortalGateway,
  address: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = await fetch(gateway.url + address, {
    method: 'POST',
    headers: {
      'X-Parley-Portal': '1',
      'content-type': 'application/json',
      'user-agent': PHONE_BROWSER,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Sets the session cookie in the browser, without the sign-in form. */
export async function signIn(context: BrowserContext, gateway: PortalGateway, owner: Owner): Promise<void> {
  const { email, password } = owner;
  await knock(context, gateway, '/portal/api/sign-in', { email, password });
}

export async function signInAsOperator(context: BrowserContext, gateway: PortalGateway): Promise<void> {
  await knock(context, gateway, '/portal/api/operator/sign-in', { token: OPERATOR_TOKEN });
}

async function knock(
  context: BrowserContext,
  gateway: PortalGateway,
  address: string,
  data: object,
): Promise<void> {
  const answer = await context.request.post(gateway.url + address, {
    headers: { 'X-Parley-Portal': '1', Origin: gateway.url },
    data,
  });
  if (!answer.ok()) throw new Error(`${address}: ${answer.status()} ${await answer.text()}`);
}
