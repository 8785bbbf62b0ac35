import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiKeyCreated, Device, Onboarding } from '@parley/contract';
import { type Answer, ask, type Method } from '../conformance/ask.ts';
import type { Gateway } from '../conformance/gateway.ts';

/** A number without limits on its sends, linked to a virtual phone. */
export interface LinkedNumber {
  readonly phone: string;
  readonly sessionId: string;
  readonly apiKey: string;
  /** A request to `/v1` with the number's own key. */
  call<T>(method: Method, path: string, body?: object, idempotencyKey?: string): Promise<Answer<T>>;
}

const POLL_MS = 50;
const PATIENCE_MS = 60_000;

/** `prepare` runs after the registration and before the link; `settings` are those of the virtual phone. */
export async function linkNumber(
  gateway: Gateway,
  prepare: (phone: string, slotId: string) => Promise<void> = async () => {},
  settings: object = {},
): Promise<LinkedNumber> {
  const phone = await newPhone(gateway, settings);
  const owner = { name: `Owner of ${phone}`, email: `${phone}@example.com` };
  const { account_id } = await gateway.operator<{ account_id: string }>('POST', '/accounts', owner);
  const account = `/accounts/${account_id}`;
  const limits = { partner_limits: { per_minute: 6_000, per_period: 1_000_000 } };
  await gateway.operator('PATCH', account, limits);
  const device = await gateway.operator<Device>('POST', `${account}/devices`, { phone, plan: 'partner' });
  const { api_key: token } = await gateway.operator<ApiKeyCreated>('POST', `${account}/api-keys`, {
    name: 'chaos',
  });

  const call = <T>(method: Method, path: string, body?: object, key?: string): Promise<Answer<T>> =>
    ask(gateway.url, {
      method,
      path: `/v1${path}`,
      token,
      body,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });

  await prepare(phone, device.slot_id);
  const { body } = await call<Onboarding>('POST', '/sessions/onboard', { slot_id: device.slot_id });
  const attempt = async (): Promise<Onboarding> =>
    (await call<Onboarding>('GET', `/onboard/${body.onboard_id}`)).body;
  const { qr } = await until('a QR', attempt, ({ status }) => status === 'qr');
  await gateway.sandbox('POST', `/phones/${phone}/scan`, { qr });
  const { session_id = '' } = await until('the link', attempt, ({ status }) => status === 'paired');
  return { phone, sessionId: session_id, apiKey: token, call };
}

export async function newPhone(gateway: Gateway, settings: object = {}): Promise<string> {
  const phone = newNumber();
  await gateway.sandbox('POST', '/phones', { phone, name: 'Chaos', ...settings });
  return phone;
}

export const newNumber = (): string => `1${randomInt(2_000_000_000, 9_999_999_999)}`;

export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  fits: (found: T) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
    const found = await look();
    if (fits(found)) return found;
    await sleep(POLL_MS);
  }
  throw new Error(`${what} did not come within ${patienceMs / 1_000} seconds`);
}
