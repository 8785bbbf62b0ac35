import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createParley, createWebhookReceiver, type Parley, type ParleyEvent } from 'parley-sdk';
import { createOperator } from 'parley-sdk/operator';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { linkedNumber, newPhoneNumber, register, type Someone, someone, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const clientOf = ({ apiKey }: { apiKey: string }): Parley => createParley({ url: gateway.url, apiKey });

let ada: Someone;
beforeAll(async () => {
  ada = await someone(gateway);
});

describe('pairing', () => {
  test('a QR is shown, scanned, and becomes a session that can be deleted', async () => {
    const { phone } = await someone(gateway, { name: 'Parley' });
    const number = await register(gateway, 'max', phone);
    const parley = clientOf(number);
    const { onboard_id } = await parley.pairing.startQr({ slot_id: number.slotId });
    const states: string[] = [];
    let sessionId = '';
    for await (const { status, qr, session_id } of parley.pairing.follow(onboard_id)) {
      states.push(status);
      if (qr) await gateway.sandbox('POST', `/phones/${phone}/scan`, { qr });
      sessionId = session_id ?? sessionId;
    }
    expect(states.at(-1)).toBe('paired');
    await vi.waitFor(
      async () => expect((await parley.sessions.get(sessionId)).status).toBe('connected'),
      WATCHING,
    );
    expect((await parley.sessions.list()).sessions).toMatchObject([{ session_id: sessionId, phone }]);
    expect(await parley.sessions.delete(sessionId)).toBeUndefined();
    await expect(parley.sessions.get(sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  test('a code works as well', async () => {
    const { phone } = await someone(gateway, { name: 'Parley' });
    const number = await register(gateway, 'max', phone);
    const parley = clientOf(number);
    const { onboard_id } = await parley.pairing.startCode({ slot_id: number.slotId });
    let last = '';
    for await (const { status, code } of parley.pairing.follow(onboard_id)) {
      if (code) await gateway.sandbox('POST', `/phones/${phone}/enter-code`, { code });
      last = status;
    }
    expect(last).toBe('paired');
  });
});

test('groups are created, filled, renamed and left', async () => {
  const me = await linkedNumber(gateway);
  const { groups } = clientOf(me);
  const { jid } = await groups.create(me.sessionId, { name: 'Launch team', participants: [ada.jid] });
  const ben = await someone(gateway, { name: 'Ben' });
  const added = await groups.changeParticipants(me.sessionId, jid, {
    participants: [ben.jid],
    action: 'add',
  });
  expect(added.results).toMatchObject([{ ok: true }]);
  await groups.rename(me.sessionId, jid, { name: 'Launched' });
  await groups.changeSettings(me.sessionId, jid, { announce: true });
  expect(await groups.get(me.sessionId, jid)).toMatchObject({ name: 'Launched', announce: true });
  const [first, second] = [
    await groups.getInvite(me.sessionId, jid),
    await groups.getInvite(me.sessionId, jid, { reset: true }),
  ];
  expect(first.code).not.toBe(second.code);
  expect(await groups.leave(me.sessionId, jid)).toEqual({ jid, left: true });
  expect((await groups.list(me.sessionId)).groups).toEqual([]);
});

test('webhooks arrive at a receiver, and their log can be walked through', async () => {
  const me = await linkedNumber(gateway);
  const parley = clientOf(me);
  const received: ParleyEvent[] = [];
  const secrets: string[] = [];
  const inbox = createServer((request, response) => {
    const on = { any: (event: ParleyEvent) => void received.push(event) };
    void createWebhookReceiver({ secret: secrets, on }).express(request, response);
  });
  await new Promise<void>((ready) => inbox.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/hooks`;
  const { id, secret } = await parley.webhooks.create({
    session_id: me.sessionId,
    messages_url: url,
    status_url: url,
  });
  secrets.push(secret);
  await gateway.sandbox('POST', `/phones/${ada.phone}/messages`, { to: me.phone, text: 'Grüße 👋' });
  await vi.waitFor(() => expect(received).toMatchObject([{ kind: 'message', text: 'Grüße 👋' }]), WATCHING);

  secrets[0] = (await parley.webhooks.rotateSecret(id)).secret;
  await parley.webhooks.test(id, { category: 'status' });
  await vi.waitFor(() => expect(received).toHaveLength(2), WATCHING);
  await vi.waitFor(async () => {
    const log = await collected(parley.webhooks.deliveries(id));
    expect(log.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  }, WATCHING);
  await parley.webhooks.delete(id);
  expect(await parley.webhooks.list()).toEqual({ webhooks: [] });
  inbox.close();
});

test('the event stream is typed, resumes from a cursor, and the history has all of it', async () => {
  const me = await linkedNumber(gateway);
  const { events } = clientOf(me);
  const leave = new AbortController();
  const opened = Promise.withResolvers<void>();
  const stream = events.stream({
    kind: 'message',
    session_id: me.sessionId,
    signal: leave.signal,
    onOpen: opened.resolve,
  });
  const first = stream.next();
  await opened.promise;
  for (const text of ['one', 'two'])
    await gateway.sandbox('POST', `/phones/${ada.phone}/messages`, { to: me.phone, text });
  const { value } = await first;
  expect(value?.event).toMatchObject({ kind: 'message', text: 'one' });
  leave.abort();
  for await (const { event } of events.stream({ kind: 'message', after: value?.cursor })) {
    expect(event.text).toBe('two');
    break;
  }
  const kept = await collected(events.history({ kind: 'message' }));
  expect(kept.map(({ event }) => 'text' in event && event.text)).toEqual(['one', 'two']);
});

test('the operator’s client creates an account, a number and a key that works', async () => {
  const phone = newPhoneNumber();
  const operator = createOperator({ url: gateway.url, token: 'operator-of-the-conformance-tests' });
  const { account_id } = await operator.accounts.create({
    name: 'Ada',
    email: `${phone}@example.com`,
  });
  const { slot_id } = await operator.devices.create(account_id, { phone, plan: 'pro' });
  const { api_key, key_id } = await operator.apiKeys.create(account_id, { name: 'sdk', phone });
  expect(await operator.devices.get(slot_id)).toMatchObject({ plan: 'pro', status: 'active' });
  const parley = createParley({ url: gateway.url, apiKey: api_key });
  expect(await parley.terms.get()).toMatchObject({ pending_version: null });
  await operator.apiKeys.revoke(account_id, key_id);
  await vi.waitFor(
    () => expect(parley.sessions.list()).rejects.toMatchObject({ code: 'api_key_invalid' }),
    WATCHING,
  );
});

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
