import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OwnGateway, startGateway } from './gateway.ts';
import {
  type LinkedNumber,
  linkedNumber,
  type Someone,
  someone,
  untilConnected,
  WATCHING,
} from './numbers.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import {
  answerPasskey,
  askedForPasskey,
  beginPairing,
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

/** Sessions of every state meet one restart: the tests before it lead to those after it. */
let gateway: OwnGateway;
let receiver: Receiver;
let friend: Someone;
let asked: LinkedNumber;
let firstChallenge: string;
let waiting: string | number;
let connected: LinkedNumber;
let banned: LinkedNumber;
let bannedBefore: { readonly session: object; readonly logins: number };
let pairing: Awaited<ReturnType<typeof beginPairing>>;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.sandbox('PUT', '/rules', { few_keys: true });
  [receiver, friend] = await Promise.all([startReceiver(), someone(gateway)]);
});
afterAll(async () => {
  await gateway?.stop();
  await receiver?.close();
});

const pass = (seconds: number) => gateway.sandbox('POST', '/clock', { advance_seconds: seconds });

describe('before a restart', () => {
  // First, because it moves the clock, which the others have only started to use.
  test('a login that asks for the passkey is reconnecting with the reason, says so in an event, and sends wait', async () => {
    asked = await askedForPasskey(gateway, receiver);
    const first = await untilAsked(asked);
    firstChallenge = first.options.challenge;
    const { event } = await receiver.next('connection', ({ reason }) => reason === 'passkey_required');
    expect(event).toMatchObject({ event: 'disconnected', session_id: asked.sessionId });
    waiting = await send(asked, friend, 'while-asked');
    expect(waiting).toEqual(expect.any(String));

    await pass(6 * 60);
    expect(await sessionOf(asked)).toMatchObject({ status: 'reconnecting', reason: 'passkey_required' });
  });

  test('a number that the network refuses for a time is offline', async () => {
    banned = await linkedWithEvents(gateway, receiver);
    await gateway.sandbox('POST', `/phones/${banned.phone}/ban`, { code: 101, expire_s: 10 * 3_600 });
    await untilSession(banned, { status: 'offline', reason: 'temporarily_banned' });
    bannedBefore = { session: await sessionOf(banned), logins: await logins(banned) };
    expect(bannedBefore.logins).toBeGreaterThan(0);
  });

  test('a connection is there, without an event', async () => {
    connected = await linkedWithEvents(gateway, receiver);
    expect(eventsFor(receiver, connected)).toEqual([]);
  });

  test('a pairing attempt shows its QR', async () => {
    pairing = await beginPairing(gateway, 'onboard');
    expect((await pairing.until('qr')).qr).toEqual(expect.any(String));
  });
});

describe('after a restart', () => {
  beforeAll(() => gateway.restart());

  test('a login that asks for the passkey asks anew, takes no old answer, and lets the waiting send out', async () => {
    const again = await vi.waitFor(async () => {
      const passkey = await untilAsked(asked);
      expect(passkey.options.challenge).not.toBe(firstChallenge);
      return passkey;
    }, WATCHING);
    expect((await answerPasskey(asked, firstChallenge)).status).toBe(400);
    expect((await sessionOf(asked)).status).toBe('reconnecting');
    expect((await asked.on('POST', '/passkey/confirm')).status).toBe(409);
    expect((await answerPasskey(asked, again.options.challenge)).body).toMatchObject({ status: 'pending' });
    await untilConnected(asked);
    expect(await readPasskey(asked)).toEqual({ session_id: asked.sessionId, status: 'connected' });
    expect((await answerPasskey(asked, again.options.challenge)).status).toBe(409);
    await untilDelivered(asked, waiting);
  });

  test('a pairing attempt that it interrupted has ended in error', async () => {
    await pairing.until('error');
    expect((await pairing.poll()).error).toMatch(/restarted/);
  });

  test('a number that the network refuses for a time stays offline', async () => {
    // Another number is connected: the gateway has resumed all its sessions.
    await untilConnected(await linkedNumber(gateway));
    expect(await sessionOf(banned)).toEqual(bannedBefore.session);
    expect(await logins(banned)).toBe(bannedBefore.logins);
    expect(eventsFor(receiver, banned)).toHaveLength(1);
  });

  test('a connection comes back without help and without an event', async () => {
    await untilConnected(connected);
    expect(await send(connected, friend, 'after-restart')).toEqual(expect.any(String));
    await pass(15);
    await untilConnected(connected);
    expect(eventsFor(receiver, connected)).toEqual([]);
  });
});
