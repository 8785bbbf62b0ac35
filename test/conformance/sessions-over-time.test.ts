import type { Session } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OwnGateway, startGateway } from './gateway.ts';
import { type LinkedNumber, type Someone, someone, untilConnected, WATCHING } from './numbers.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import {
  answerPasskey,
  askedForPasskey,
  beginPairing,
  drop,
  eventsFor,
  linkedWithEvents,
  logins,
  readPasskey,
  send,
  sessionOf,
  untilAsked,
  untilDelivered,
  untilSession,
} from './sessions.ts';

/** The clock is moved and the network's demands are changed, so this gateway is not shared. */
let gateway: OwnGateway;
let friend: Someone;
beforeAll(async () => {
  gateway = await startGateway({ PARLEY_WHATSAPP_VERSION: 'auto' });
  await gateway.sandbox('PUT', '/rules', { few_keys: true });
  friend = await someone(gateway);
});
afterAll(() => gateway?.stop());

const pass = (seconds: number) => gateway.sandbox('POST', '/clock', { advance_seconds: seconds });

const statusOf = async (number: LinkedNumber): Promise<Session['status']> => (await sessionOf(number)).status;

describe('a pairing attempt', () => {
  test('returns a fresh QR to the poll after the lifetime of the old one, which has expired', async () => {
    const { phone, poll, until } = await beginPairing(gateway, 'onboard');
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
    const { poll, until } = await beginPairing(gateway, method);
    await until(method === 'onboard' ? 'qr' : 'code');
    await pass(301);
    expect(await poll()).toMatchObject({ status: 'error', error: expect.stringMatching(/five minutes/) });
  });
});

describe('a connection', () => {
  let number: LinkedNumber;
  let receiver: Receiver;
  let waiting: string | number;
  beforeAll(async () => {
    receiver = await startReceiver();
    number = await linkedWithEvents(gateway, receiver);
  });
  afterAll(() => receiver.close());

  const connectionEvents = () =>
    receiver.deliveries.map(({ event }) => (event.kind === 'connection' ? event.event : event.kind));

  test('that is lost is reconnecting, and reported as disconnected after ten seconds', async () => {
    await drop(number, 600);
    await vi.waitFor(async () => expect(await statusOf(number)).toBe('reconnecting'), WATCHING);
    expect(connectionEvents()).toEqual([]);
    await pass(11);
    await receiver.next('connection', ({ event }) => event === 'disconnected');
    expect(await statusOf(number)).toBe('reconnecting');
  });

  test('accepts sends while it is reconnecting, and refuses them once it is offline', async () => {
    waiting = await send(number, friend, 'while-reconnecting');
    expect(waiting).toEqual(expect.any(String));
    await pass(300);
    expect(await statusOf(number)).toBe('offline');
    expect(await send(number, friend, 'while-offline')).toBe(409);
  });

  test('comes back without help, and accepted messages go out', async () => {
    await pass(400);
    await untilConnected(number);
    await receiver.next('connection', ({ event }) => event === 'connected');
    expect(connectionEvents()).toEqual(['disconnected', 'connected']);
    await untilDelivered(number, waiting);
  });
});

describe('a number that the network refuses', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const HOUR = 3_600;

  const refuse = (number: LinkedNumber, code: number, hours: number) =>
    gateway.sandbox('POST', '/faults', {
      session_id: number.sessionId,
      fault: 'refuse_login',
      code,
      ms: hours * HOUR * 1_000,
    });

  test('for a time (402) has the reason and the end, keeps its queue, stops logins, and returns without help', async () => {
    const number = await linkedWithEvents(gateway, receiver);
    await drop(number, 30);
    await untilSession(number, { status: 'reconnecting', reason: 'connection_lost' });
    const waiting = await send(number, friend, 'before-the-ban');
    expect(waiting).toEqual(expect.any(String));
    // The loss is reported after ten seconds, before the ban is found at the next login.
    await pass(15);
    await vi.waitFor(() => expect(eventsFor(receiver, number)).toHaveLength(1), WATCHING);
    await gateway.sandbox('POST', `/phones/${number.phone}/ban`, { code: 104, expire_s: 10 * HOUR });
    await pass(60);
    await untilSession(number, {
      status: 'offline',
      reason: 'temporarily_banned',
      detail: expect.stringMatching(/same message/),
      until_unix: expect.any(Number),
    });
    const { until_unix: until = 0 } = await sessionOf(number);
    const { now_unix: now } = await gateway.sandbox<{ now_unix: number }>('GET', '/clock');
    expect(until - now).toBeGreaterThan(9 * HOUR);
    expect(until - now).toBeLessThanOrEqual(10 * HOUR + 1);
    const { event } = await receiver.next('connection', ({ reason }) => reason === 'temporarily_banned');
    expect(event).toMatchObject({ event: 'disconnected', session_id: number.sessionId, until_unix: until });
    expect(await send(number, friend, 'during-the-ban')).toBe(409);
    expect((await number.on('GET', '/groups')).status).toBe(409);

    const knocked = await logins(number);
    await pass(9 * HOUR);
    expect(await sessionOf(number)).toMatchObject({ status: 'offline', until_unix: until });
    expect(await logins(number)).toBe(knocked);

    await pass(HOUR + 60);
    await untilConnected(number);
    expect(await sessionOf(number)).not.toHaveProperty('reason');
    expect(await logins(number)).toBe(knocked + 1);
    await untilDelivered(number, waiting);
    await vi.waitFor(
      () =>
        expect(eventsFor(receiver, number).map(({ event, reason }) => [event, reason])).toEqual([
          // The second if it tried another login in those ten seconds.
          ['disconnected', expect.stringMatching(/^(connection_lost|network_unavailable)$/)],
          ['disconnected', 'temporarily_banned'],
          ['connected', undefined],
        ]),
      WATCHING,
    );
  });

  test.each([
    [403, 'locked'],
    [406, 'banned'],
  ])(
    'for good (%i) is logged out, with the reason, without further logins',
    { tags: 'anywhere' },
    async (code, reason) => {
      const number = await linkedWithEvents(gateway, receiver);
      await refuse(number, code, 24);
      await untilSession(number, { status: 'logged_out', reason, detail: expect.any(String) });
      const { event } = await receiver.next('connection', (each) => each.reason === reason);
      expect(event).toMatchObject({ event: 'logged_out', session_id: number.sessionId });
      const knocked = await logins(number);
      await pass(23 * HOUR);
      expect(await send(number, friend, `after-${code}`)).toBe(409);
      expect(await logins(number)).toBe(knocked);
    },
  );

  test.each([
    [405, 'client_outdated'],
    [409, 'client_refused'],
  ])(
    'because of the client (%i) is offline, has the reason, and is tried a few times a day',
    { tags: 'anywhere' },
    async (code, reason) => {
      const number = await linkedWithEvents(gateway, receiver);
      await refuse(number, code, 23);
      await untilSession(number, { status: 'offline', reason });
      expect(await sessionOf(number)).not.toHaveProperty('until_unix');
      const { event } = await receiver.next('connection', (each) => each.reason === reason);
      expect(event).toMatchObject({ event: 'disconnected', session_id: number.sessionId });
      expect(await send(number, friend, `during-${code}`)).toBe(409);
      const knocked = await logins(number);
      for (let hour = 0; hour < 22; hour += 1) await pass(HOUR);
      expect((await logins(number)) - knocked).toBeLessThanOrEqual(6);
      // One per hour, each with enough time for a login to cross the wire.
      await vi.waitFor(
        async () => {
          const status = await statusOf(number);
          if (status !== 'connected') await pass(HOUR);
          expect(status).toBe('connected');
        },
        { ...WATCHING, interval: 250 },
      );
    },
  );

  /** Of all processes: only the one that hosts the number has its client version. */
  const metrics = async (): Promise<string> => {
    const each = gateway.urls.map(async (url) => (await fetch(`${url}/metrics`)).text());
    return (await Promise.all(each)).join('\n');
  };

  test('for its old version connects with the current one, which the gateway looks up at once', {
    tags: 'anywhere',
  }, async () => {
    const number = await linkedWithEvents(gateway, receiver);
    const [, builtIn = '0'] =
      /parley_client_version_info{version="2\.3000\.(\d+)"/.exec(await metrics()) ?? [];
    const newer = `2.3000.${Number(builtIn) + 10}`;
    const knocked = await logins(number);
    await gateway.sandbox('PUT', '/clients', { minimum_version: newer, current_version: newer });
    await drop(number, 0);
    await vi.waitFor(async () => expect(await logins(number)).toBe(knocked + 2), WATCHING);
    await untilConnected(number);
    expect(await metrics()).toContain(`parley_client_version_info{version="${newer}",source="learned"} 1`);
    expect(await metrics()).toMatch(/^parley_client_version_age_seconds \d/m);
    await gateway.sandbox('PUT', '/clients', {});
  });
});

test('a login that asks for the passkey says why an answer was of no use, and asks again when the caller wants it, once a minute', async () => {
  const receiver = await startReceiver();
  const number = await askedForPasskey(gateway, receiver);
  const first = await untilAsked(number);
  await gateway.sandbox('POST', '/faults', { phone: number.phone, fault: 'passkey_refused' });
  await answerPasskey(number, first.options.challenge);
  await vi.waitFor(
    async () =>
      expect(await readPasskey(number)).toMatchObject({ status: 'error', error_code: 'passkey_refused' }),
    WATCHING,
  );
  expect((await number.on('POST', '/passkey/ask')).status).toBe(200);
  expect(await readPasskey(number)).not.toHaveProperty('passkey');
  await pass(61);
  await answerPasskey(number, (await untilAsked(number)).options.challenge);
  await untilConnected(number);
  await receiver.close();
});
