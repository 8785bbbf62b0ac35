import type { MessageAccepted, Onboarding, Session } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OwnGateway, startGateway } from './gateway.ts';
import {
  type LinkedNumber,
  linkedNumber,
  register,
  type Someone,
  someone,
  untilConnected,
  WATCHING,
} from './numbers.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** Time is moved and the process restarted, so this gateway is nobody else's. */
let gateway: OwnGateway;
let friend: Someone;
beforeAll(async () => {
  gateway = await startGateway();
  friend = await someone(gateway);
});
afterAll(() => gateway?.stop());

const pass = (seconds: number) => gateway.sandbox('POST', '/clock', { advance_seconds: seconds });

const statusOf = async (number: LinkedNumber): Promise<Session['status']> =>
  (await number.on<Session>('GET', '')).body.status;

const drop = (number: LinkedNumber, seconds: number) =>
  gateway.sandbox('POST', '/faults', {
    session_id: number.sessionId,
    fault: 'disconnect',
    ms: seconds * 1_000,
  });

/** Answers its id, or the status of the refusal. */
const send = async (number: LinkedNumber, key: string): Promise<string | number> => {
  const message = { session_id: number.sessionId, to: friend.phone, text: 'Hello' };
  const headers = { 'Idempotency-Key': key };
  const { status, body } = await number.call<MessageAccepted>('POST', '/messages', message, headers);
  return body.message_id ?? status;
};

describe('a pairing attempt', () => {
  const begin = async (method: 'onboard' | 'paircode') => {
    const { phone } = await someone(gateway);
    const number = await register(gateway, 'max', phone);
    const started = await number.call<Onboarding>('POST', `/sessions/${method}`, { slot_id: number.slotId });
    const poll = async () =>
      (await number.call<Onboarding>('GET', `/onboard/${started.body.onboard_id}`)).body;
    const until = (status: Onboarding['status']) =>
      vi.waitFor(async () => {
        const seen = await poll();
        expect(seen.status).toBe(status);
        return seen;
      }, WATCHING);
    return { phone, poll, until };
  };

  test('gives a fresh QR to the poll after the lifetime of the old one, which has expired', async () => {
    const { phone, poll, until } = await begin('onboard');
    const { qr: first } = await until('qr');
    await pass(61);
    const { status, qr: second } = await poll();
    expect(status).toBe('qr');
    expect(second).not.toBe(first);
    await expect(gateway.sandbox('POST', `/phones/${phone}/scan`, { qr: first })).rejects.toThrow(/: 410 /);
    await gateway.sandbox('POST', `/phones/${phone}/scan`, { qr: second });
    await until('paired');
  });

  test.each(['onboard', 'paircode'] as const)('by %s ends in error after five minutes', async (method) => {
    const { poll, until } = await begin(method);
    await until(method === 'onboard' ? 'qr' : 'code');
    await pass(301);
    expect(await poll()).toMatchObject({ status: 'error', error: expect.stringMatching(/five minutes/) });
  });

  test('that a restart interrupts ends in error', async () => {
    const { poll, until } = await begin('onboard');
    await until('qr');
    await gateway.restart();
    await until('error');
    expect((await poll()).error).toMatch(/restarted/);
  });
});

describe('a connection', () => {
  let number: LinkedNumber;
  let receiver: Receiver;
  let waiting: string | number;
  beforeAll(async () => {
    receiver = await startReceiver();
    number = await linkedNumber(gateway);
    await number.call('POST', '/webhooks', { session_id: number.sessionId, connection_url: receiver.url });
  });
  afterAll(() => receiver.close());

  const told = () =>
    receiver.deliveries.map(({ event }) => (event.kind === 'connection' ? event.event : event.kind));

  test('that stays away is reconnecting, and told as disconnected after ten seconds', async () => {
    await drop(number, 600);
    await vi.waitFor(async () => expect(await statusOf(number)).toBe('reconnecting'), WATCHING);
    expect(told()).toEqual([]);
    await pass(11);
    await receiver.next('connection', ({ event }) => event === 'disconnected');
    expect(await statusOf(number)).toBe('reconnecting');
  });

  test('takes sends while it is reconnecting, and refuses them once it is offline', async () => {
    waiting = await send(number, 'while-reconnecting');
    expect(waiting).toEqual(expect.any(String));
    await pass(300);
    expect(await statusOf(number)).toBe('offline');
    expect(await send(number, 'while-offline')).toBe(409);
  });

  test('comes back by itself, and what was sent meanwhile goes out', async () => {
    await pass(400);
    await untilConnected(number);
    await receiver.next('connection', ({ event }) => event === 'connected');
    expect(told()).toEqual(['disconnected', 'connected']);
    await vi.waitFor(async () => {
      const { body } = await number.call('GET', `/messages/${waiting}`);
      expect(body).toMatchObject({ status: 'delivered' });
    }, WATCHING);
  });

  test('comes back after a restart without help, and nobody is told of it', async () => {
    await gateway.restart();
    await untilConnected(number);
    expect(await send(number, 'after-restart')).toEqual(expect.any(String));
    await pass(15);
    await untilConnected(number);
    expect(told()).toEqual(['disconnected', 'connected']);
  });
});
