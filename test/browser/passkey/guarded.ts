import type { CDPSession, Page } from 'playwright-core';
import type { PortalGateway } from '../portal/gateway.ts';
import { makeOwner, type Owner } from '../portal/owners.ts';
import { until } from '../until.ts';

/** A gateway by host name: passkeys are bound to names, not to addresses. */
export function byName(gateway: PortalGateway): PortalGateway {
  return { ...gateway, url: gateway.url.replace('127.0.0.1', 'localhost') };
}

/** A number with a passkey, and the integrator's view of its linking. */
export interface GuardedNumber {
  readonly phone: string;
  readonly owner: Owner;
  start(method: 'qr' | 'code'): Promise<void>;
  /** Scans or enters what is shown, as the phone's owner does. */
  take(shown: Shown): Promise<void>;
  poll(): Promise<Shown>;
  /** The link for the owner, once the phone waits. */
  ownersLink(): Promise<string>;
  /** Makes the next login of the linked number ask for the passkey. */
  askAtLogin(): Promise<void>;
  /** The link for the owner of a number whose login waits. */
  loginLink(): Promise<string>;
  /** Status of its session. */
  sessionStatus(): Promise<string>;
  /** The code on the phone for comparison, once it is shown. */
  codeOnPhone(): Promise<string>;
}

interface Shown {
  readonly status: string;
  readonly qr?: string;
  readonly code?: string;
  readonly session_id?: string;
  readonly error?: string;
  readonly error_code?: string;
  readonly passkey?: { readonly url: string; readonly options: { readonly challenge: string } };
}

let count = 0;
let bookshop: Promise<Owner> | undefined;

export async function guardNumber(gateway: PortalGateway, rpId = 'localhost'): Promise<GuardedNumber> {
  count += 1;
  const phone = `1555000${5_000 + count}`;
  bookshop ??= makeOwner(gateway, 'Harbour Books');
  const owner = await bookshop;
  const { slot_id } = await gateway.operator<{ slot_id: string }>(
    'POST',
    `/accounts/${owner.accountId}/devices`,
    { phone, plan: 'max' },
  );
  const { api_key: key } = await gateway.operator<{ api_key: string }>(
    'POST',
    `/accounts/${owner.accountId}/api-keys`,
    { name: 'Shop' },
  );
  await gateway.sandbox('POST', '/phones', {
    phone,
    name: 'Guarded Gus',
    requires_passkey: true,
    passkey_rp_id: rpId,
  });
  let onboardId = '';

  async function ask<T>(method: string, address: string, body?: object): Promise<T> {
    const answer = await fetch(`${gateway.url}/v1${address}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  const poll = (): Promise<Shown> => ask('GET', `/onboard/${onboardId}`);

  async function take({ qr, code }: Shown): Promise<void> {
    if (qr !== undefined) await gateway.sandbox('POST', `/phones/${phone}/scan`, { qr });
    else await gateway.sandbox('POST', `/phones/${phone}/enter-code`, { code });
  }

  return {
    phone,
    owner,
    async start(method) {
      const path = method === 'qr' ? '/sessions/onboard' : '/sessions/paircode';
      onboardId = (await ask<{ onboard_id: string }>('POST', path, { slot_id })).onboard_id;
      await take(
        await until(async () => {
          const shown = await poll();
          return (shown.qr ?? shown.code) !== undefined && shown;
        }),
      );
    },
    take,
    poll,
    async askAtLogin() {
      await gateway.sandbox('POST', '/faults', { phone, fault: 'passkey_at_login' });
      const { linked_devices } = await gateway.sandbox<{ linked_devices: { session_id: string }[] }>(
        'GET',
        `/phones/${phone}`,
      );
      const session_id = linked_devices[0]?.session_id;
      await gateway.sandbox('POST', '/faults', { session_id, fault: 'disconnect', ms: 0 });
    },
    loginLink: () =>
      until(async () => (await ask<Shown>('GET', `/sessions/${phone}@s.whatsapp.net/passkey`)).passkey?.url),
    sessionStatus: async () => (await ask<Shown>('GET', `/sessions/${phone}@s.whatsapp.net`)).status,
    ownersLink: () => until(async () => (await poll()).passkey?.url),
    codeOnPhone: () =>
      until(async () => {
        const { code } = await gateway.sandbox<{ code: string }>('GET', `/phones/${phone}/linking`);
        return code;
      }),
  };
}

/** Adds a virtual authenticator that confirms every request. It belongs to the page across navigations. */
export async function plugInAuthenticator(page: Page): Promise<{ session: CDPSession; id: string }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, id };
}

/** Creates a passkey on the current page and gives it to the phone. */
export async function makePasskey(page: Page, gateway: PortalGateway, phone: string): Promise<void> {
  const options = await gateway.sandbox<object>('GET', `/phones/${phone}/passkey`);
  const credential = await page.evaluate<object>(`(async (asked) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  })(${JSON.stringify(options)})`);
  await gateway.sandbox('POST', `/phones/${phone}/passkey`, credential);
}
