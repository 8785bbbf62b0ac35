import type { HostedSession, Session, Worker } from '@parley/contract';
import { describe, expect, test, vi } from 'vitest';
import { ask } from './ask.ts';
import { type LinkedNumber, link, linkedNumber, register, someone, WATCHING } from './numbers.ts';
import { startReceiver } from './receiver.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();

/** After this time without a heartbeat a worker hosts nothing. */
const LONGEST_LEASE_MS = 30_000;
const NOT_HOSTED = { status: 409, body: { error: 'session is not currently hosted by any worker' } };

const unlink = ({ phone, sessionId }: LinkedNumber) =>
  gateway.sandbox('POST', `/phones/${phone}/unlink`, { session_id: sessionId });

const devicesOf = async ({ phone }: { phone: string }): Promise<unknown[]> =>
  (await gateway.sandbox<{ linked_devices: [] }>('GET', `/phones/${phone}`)).linked_devices;

const send = (number: LinkedNumber) =>
  number.call(
    'POST',
    '/messages',
    { session_id: number.sessionId, to: '15550002001', text: 'Hello' },
    { 'Idempotency-Key': `${number.phone}-${performance.now()}` },
  );

const untilStatus = (number: LinkedNumber, status: Session['status']) =>
  vi.waitFor(async () => expect((await number.on<Session>('GET', '')).body.status).toBe(status), WATCHING);

describe.concurrent('a session', () => {
  test('is listed and shown, by its JID with or without the device', async () => {
    const number = await linkedNumber(gateway);
    const session = {
      session_id: number.sessionId,
      phone: number.phone,
      status: 'connected',
      since_unix: expect.any(Number),
      presence_policy: 'auto',
    };
    expect(await number.call('GET', '/sessions')).toMatchObject({
      status: 200,
      body: { sessions: [session] },
    });
    const names = [number.jid, number.phone, `+${number.phone}`, `${number.phone}@c.us`];
    for (const id of names.flatMap((name) => [encodeURIComponent(name), name.replace('@', '%40')])) {
      expect(await number.call('GET', `/sessions/${id}`)).toMatchObject({ status: 200, body: session });
      const typing = { to: `+${number.phone}`, typing: null };
      expect((await number.call('POST', `/sessions/${id}/typing`, typing)).status).toBe(204);
    }
    const hook = {
      session_id: `+${number.phone}`,
      messages_url: 'https://example.com/hook',
      status_url: null,
    };
    expect(await number.call('POST', '/webhooks', hook)).toMatchObject({
      status: 201,
      body: { phone: number.phone, status_url: '' },
    });
    const { body } = await number.on<Session>('GET', '');
    expect(body).toEqual(session);
    expect(Math.abs(body.since_unix - Date.now() / 1_000)).toBeLessThan(60);
  });

  test('does not exist before its number is linked', { tags: 'anywhere' }, async () => {
    const number = await register(gateway);
    expect(await number.call('GET', '/sessions')).toMatchObject({ status: 200, body: { sessions: [] } });
    expect(await number.call('GET', `/sessions/${encodeURIComponent(number.jid)}`)).toMatchObject({
      status: 404,
      body: { error: 'session not found' },
    });
  });

  test('of a foreign account is refused, and so is one outside the key’s restriction', {
    tags: 'anywhere',
  }, async () => {
    const [mine, theirs] = await Promise.all([linkedNumber(gateway), linkedNumber(gateway)]);
    const id = encodeURIComponent(theirs.sessionId);
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await mine.call(method, `/sessions/${id}`)).toMatchObject({
        status: 403,
        body: { error: 'session does not belong to this user' },
      });
    }
    const token = await mine.makeKey({ phone: '15550009999' });
    const path = `/v1/sessions/${encodeURIComponent(mine.sessionId)}`;
    expect(await ask(gateway.url, { method: 'DELETE', path, token })).toMatchObject({
      status: 403,
      body: { error: 'api key is restricted to another number' },
    });
    expect(await ask(gateway.url, { method: 'GET', path: '/v1/sessions', token })).toMatchObject({
      body: { sessions: [] },
    });
    expect((await theirs.on('GET', '')).status).toBe(200);
  });

  test('is shown to the operator with the worker that hosts it', async () => {
    const number = await linkedNumber(gateway);
    const { sessions } = await gateway.operator<{ sessions: HostedSession[] }>('GET', '/sessions');
    const { workers } = await gateway.operator<{ workers: Worker[] }>('GET', '/workers');
    const mine = sessions.find(({ session_id }) => session_id === number.sessionId);
    expect(mine).toEqual({
      session_id: number.sessionId,
      account_id: number.accountId,
      phone: number.phone,
      status: 'connected',
      worker: expect.stringMatching(/./),
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    const host = workers.find(({ worker }) => worker === mine?.worker);
    expect(host?.sessions).toBeGreaterThan(0);
    const seenAgo = Date.now() - Date.parse(host?.last_seen ?? '');
    expect(seenAgo).toBeLessThan(LONGEST_LEASE_MS);
  });
});

describe.concurrent('deleting a session', () => {
  test('unlinks it permanently, and pairing starts from the beginning', async () => {
    const number = await linkedNumber(gateway);
    expect(await number.on('DELETE', '')).toMatchObject({ status: 204, body: undefined });
    expect(await devicesOf(number)).toEqual([]);
    expect(await number.call('GET', '/sessions')).toMatchObject({ body: { sessions: [] } });
    expect(await number.on('GET', '/groups')).toMatchObject(NOT_HOSTED);
    expect(await send(number)).toMatchObject(NOT_HOSTED);
    expect((await number.on('DELETE', '')).status).toBe(204);

    const again = await link(number);
    expect(again.sessionId).not.toBe(number.sessionId);
    expect((await send(again)).status).toBe(202);
  });

  test('by an old id leaves the current link alone', async () => {
    const number = await linkedNumber(gateway);
    await number.on('DELETE', '');
    const again = await link(number);
    const never = `${number.phone}:99@s.whatsapp.net`;
    for (const id of [number.sessionId, never]) {
      const stale = await number.call('DELETE', `/sessions/${encodeURIComponent(id)}`);
      expect(stale).toMatchObject({ status: 204, body: undefined });
    }
    expect(await again.on('GET', '')).toMatchObject({
      body: { session_id: again.sessionId, status: 'connected' },
    });
    expect(await devicesOf(number)).toHaveLength(1);

    expect((await number.call('DELETE', `/sessions/${encodeURIComponent(number.jid)}`)).status).toBe(204);
    expect(await devicesOf(number)).toEqual([]);
  });

  test('works while it is offline: the phone drops the device as soon as the network is back', async () => {
    const number = await linkedNumber(gateway);
    const { sessionId: session_id } = number;
    await gateway.sandbox('POST', '/faults', { session_id, fault: 'disconnect', ms: 5_000 });
    await untilStatus(number, 'reconnecting');
    expect((await number.on('DELETE', '')).status).toBe(204);
    expect(await number.call('GET', '/sessions')).toMatchObject({ body: { sessions: [] } });
    expect(await devicesOf(number)).toMatchObject([{ session_id }]);

    const again = await link(number);
    const onlyTheNew = [{ session_id: again.sessionId }];
    // A login that the outage interrupted is retried after a pause.
    const patience = { ...WATCHING, timeout: 45_000 };
    await vi.waitFor(async () => expect(await devicesOf(number)).toMatchObject(onlyTheNew), patience);
    expect(await again.on('GET', '')).toMatchObject({ body: { status: 'connected' } });
    expect((await send(again)).status).toBe(202);
  });

  test('works after a log-out, and for a number that was never linked', async () => {
    const number = await linkedNumber(gateway);
    await unlink(number);
    await untilStatus(number, 'logged_out');
    expect((await number.on('DELETE', '')).status).toBe(204);

    const never = await register(gateway);
    const id = encodeURIComponent(never.jid);
    expect((await never.call('DELETE', `/sessions/${id}`)).status).toBe(204);
  });

  test('keeps the webhook of the number', { tags: 'anywhere' }, async () => {
    const number = await linkedNumber(gateway);
    const url = 'https://example.com/hook';
    await number.call('POST', '/webhooks', { session_id: number.sessionId, messages_url: url });
    await number.on('DELETE', '');
    expect(await number.call('GET', '/webhooks')).toMatchObject({
      body: { webhooks: [{ phone: number.phone, messages_url: url }] },
    });
  });
});

describe('the events of a connection', () => {
  test('include the first connection, no brief drop, and a log-out at once', async () => {
    const receiver = await startReceiver();
    const { phone } = await someone(gateway);
    const registered = await register(gateway, 'max', phone);
    const hook = { session_id: registered.jid, connection_url: receiver.url };
    expect((await registered.call('POST', '/webhooks', hook)).status).toBe(201);

    const number = await link(registered);
    const { event } = await receiver.next('connection');
    expect(event).toEqual({
      kind: 'connection',
      session_id: number.sessionId,
      event: 'connected',
      timestamp_unix: expect.any(Number),
    });

    await gateway.sandbox('POST', '/faults', { session_id: number.sessionId, fault: 'disconnect' });
    await untilStatus(number, 'reconnecting');
    await untilStatus(number, 'connected');

    await unlink(number);
    await receiver.next('connection', (each) => each.event === 'logged_out');
    expect(receiver.deliveries.map((delivery) => delivery.event)).toMatchObject([
      { event: 'connected' },
      { event: 'logged_out' },
    ]);
    expect(await number.on('GET', '')).toMatchObject({ body: { status: 'logged_out' } });
    expect(await send(number)).toMatchObject(NOT_HOSTED);
    receiver.close();
  });
});
