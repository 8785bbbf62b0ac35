import { randomInt } from 'node:crypto';
import type { ApiKeyCreated, Device, Onboarding, Permission, Plan, Session } from '@parley/contract';
import { expect, vi } from 'vitest';
import { type Answer, ask, type Method } from './ask.ts';
import type { Gateway } from './gateway.ts';

/** A registered number, with a key that has all permissions. */
export interface RegisteredNumber {
  readonly gateway: Gateway;
  readonly accountId: string;
  readonly slotId: string;
  readonly phone: string;
  readonly jid: string;
  readonly apiKey: string;
  /** A request to `/v1` with the number's own key. */
  call<T = unknown>(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  makeKey(options: { permissions?: readonly Permission[]; phone?: string }): Promise<string>;
}

/** A linked and connected number. */
export interface LinkedNumber extends RegisteredNumber {
  readonly sessionId: string;
  /** A request below `/v1/sessions/{id}`. */
  on<T = unknown>(method: Method, path: string, body?: unknown): Promise<Answer<T>>;
}

/** A person with a virtual phone. */
export interface Someone {
  readonly phone: string;
  readonly jid: string;
  readonly lid: string;
}

export interface PhoneSettings {
  readonly name?: string;
  readonly about?: string;
  readonly business_name?: string;
  readonly auto_read?: boolean;
  readonly hides_photo?: boolean;
  readonly lid_mode?: boolean;
  readonly other_spelling?: string;
  readonly username?: string;
  readonly username_key?: string;
  readonly hides_phone?: boolean;
}

/** Longer than any wait here, also on a busy machine. */
export const WATCHING = { timeout: 40_000, interval: 50 };

export async function register(
  gateway: Gateway,
  plan: Plan = 'max',
  phone = newPhoneNumber(),
): Promise<RegisteredNumber> {
  const owner = { name: `Owner of ${phone}`, email: `${phone}@example.com` };
  const { account_id } = await gateway.operator<{ account_id: string }>('POST', '/accounts', owner);
  const account = `/accounts/${account_id}`;
  const device = await gateway.operator<Device>('POST', `${account}/devices`, { phone, plan });
  const makeKey = async (options: object): Promise<string> => {
    const key = await gateway.operator<ApiKeyCreated>('POST', `${account}/api-keys`, {
      name: 'test',
      ...options,
    });
    return key.api_key;
  };
  const apiKey = await makeKey({});
  return {
    gateway,
    accountId: account_id,
    slotId: device.slot_id,
    phone,
    jid: `${phone}@s.whatsapp.net`,
    apiKey,
    call: (method, path, body, headers) =>
      ask(gateway.url, { method, path: `/v1${path}`, token: apiKey, body, headers }),
    makeKey,
  };
}

/** Links a registered number by QR and waits until it is connected. */
export async function link(number: RegisteredNumber): Promise<LinkedNumber> {
  const { gateway, slotId, phone, call } = number;
  const started = await call<Onboarding>('POST', '/sessions/onboard', { slot_id: slotId });
  expect(started).toMatchObject({ status: 200, body: { status: 'pending' } });
  const onboarding = (status: Onboarding['status']): Promise<Onboarding> =>
    vi.waitFor(async () => {
      const { body } = await call<Onboarding>('GET', `/onboard/${started.body.onboard_id}`);
      expect(body.status).toBe(status);
      return body;
    }, WATCHING);

  const { qr } = await onboarding('qr');
  await gateway.sandbox('POST', `/phones/${phone}/scan`, { qr });
  const { session_id: sessionId = '' } = await onboarding('paired');
  const linked: LinkedNumber = {
    ...number,
    sessionId,
    on: (method, path, body) => call(method, `/sessions/${encodeURIComponent(sessionId)}${path}`, body),
  };
  await untilConnected(linked);
  return linked;
}

export async function untilConnected({ on }: LinkedNumber): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await on<Session>('GET', '');
    expect(body.status).toBe('connected');
  }, WATCHING);
}

/** A new number with a new phone, linked and connected. */
export async function linkedNumber(
  gateway: Gateway,
  { plan = 'max', ...settings }: PhoneSettings & { plan?: Plan } = {},
): Promise<LinkedNumber> {
  const { phone } = await someone(gateway, { name: 'Parley', ...settings });
  return link(await register(gateway, plan, phone));
}

export async function someone(gateway: Gateway, settings: PhoneSettings = {}): Promise<Someone> {
  const { phone, jid, lid } = await gateway.sandbox<Someone>('POST', '/phones', {
    phone: newPhoneNumber(),
    name: 'Ada',
    ...settings,
  });
  return { phone, jid, lid };
}

/** Unique: tests share the network. */
export function newPhoneNumber(): string {
  return `1${randomInt(2_000_000_000, 9_999_999_999)}`;
}
