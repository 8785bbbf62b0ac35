import type { MessageAccepted, Onboarding, Session, SessionPasskey } from '@parley/contract';
import { createSoftAuthenticator } from '@parley/sandbox/authenticator';
import { expect, vi } from 'vitest';
import type { Gateway } from './gateway.ts';
import { type LinkedNumber, linkedNumber, register, type Someone, someone, WATCHING } from './numbers.ts';
import type { Receiver } from './receiver.ts';

/** Sessions on a gateway whose clock and network a test changes. */

const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });

/** A pairing attempt of a new number. */
export async function beginPairing(gateway: Gateway, method: 'onboard' | 'paircode') {
  const { phone } = await someone(gateway);
  const number = await register(gateway, 'max', phone);
  const started = await number.call<Onboarding>('POST', `/sessions/${method}`, { slot_id: number.slotId });
  const poll = async () => (await number.call<Onboarding>('GET', `/onboard/${started.body.onboard_id}`)).body;
  const until = (status: Onboarding['status']) =>
    vi.waitFor(async () => {
      const seen = await poll();
      expect(seen.status).toBe(status);
      return seen;
    }, WATCHING);
  return { phone, poll, until };
}

/** A linked number with a webhook for its connection events. */
export async function linkedWithEvents(gateway: Gateway, receiver: Receiver): Promise<LinkedNumber> {
  const number = await linkedNumber(gateway);
  await number.call('POST', '/webhooks', { session_id: number.sessionId, connection_url: receiver.url });
  return number;
}

export const eventsFor = (receiver: Receiver, number: LinkedNumber) =>
  receiver.deliveries.flatMap(({ event }) =>
    event.kind === 'connection' && event.session_id === number.sessionId ? [event] : [],
  );

export const sessionOf = async (number: LinkedNumber): Promise<Session> =>
  (await number.on<Session>('GET', '')).body;

export const untilSession = (number: LinkedNumber, session: object): Promise<void> =>
  vi.waitFor(async () => expect(await sessionOf(number)).toMatchObject(session), WATCHING);

export const drop = ({ gateway, sessionId }: LinkedNumber, seconds: number) =>
  gateway.sandbox('POST', '/faults', { session_id: sessionId, fault: 'disconnect', ms: seconds * 1_000 });

/** How often its logins were tried. */
export async function logins({ gateway, phone, sessionId }: LinkedNumber): Promise<number> {
  const { linked_devices: devices } = await gateway.sandbox<{
    linked_devices: { session_id: string; logins: number }[];
  }>('GET', `/phones/${phone}`);
  return devices.find(({ session_id }) => session_id === sessionId)?.logins ?? Number.NaN;
}

/** Returns its id, or the status of the refusal. */
export async function send(number: LinkedNumber, to: Someone, key: string): Promise<string | number> {
  const message = { session_id: number.sessionId, to: to.phone, text: 'Hello' };
  const headers = { 'Idempotency-Key': key };
  const { status, body } = await number.call<MessageAccepted>('POST', '/messages', message, headers);
  return body.message_id ?? status;
}

export const untilDelivered = (number: LinkedNumber, id: string | number): Promise<void> =>
  vi.waitFor(async () => {
    const { body } = await number.call('GET', `/messages/${id}`);
    expect(body).toMatchObject({ status: 'delivered' });
  }, WATCHING);

/** A linked number whose login asks for the passkey. */
export async function askedForPasskey(gateway: Gateway, receiver: Receiver): Promise<LinkedNumber> {
  const number = await linkedWithEvents(gateway, receiver);
  const address = `/phones/${number.phone}/passkey`;
  const creation = await gateway.sandbox<Parameters<typeof browser.create>[0]>('GET', address);
  await gateway.sandbox('POST', address, browser.create(creation));
  await gateway.sandbox('POST', '/faults', { phone: number.phone, fault: 'passkey_at_login' });
  await drop(number, 0);
  return number;
}

export const readPasskey = async (number: LinkedNumber) =>
  (await number.on<SessionPasskey>('GET', '/passkey')).body;

export const untilAsked = (number: LinkedNumber) =>
  vi.waitFor(async () => {
    const { passkey } = await readPasskey(number);
    if (!passkey) throw new Error('nothing is asked');
    return passkey;
  }, WATCHING);

export const answerPasskey = (number: LinkedNumber, challenge: string) =>
  number.on<SessionPasskey>('POST', '/passkey', browser.get({ challenge, rpId: 'localhost' }));
