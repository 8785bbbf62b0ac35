import type { EventPage, Group } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type LinkedNumber,
  linkedNumber,
  newPhoneNumber,
  type Someone,
  someone,
  WATCHING,
} from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
let me: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway)]);
});

interface Phone {
  readonly online: boolean;
  readonly typing: { readonly chat_jid: string; readonly sender_jid: string }[];
  readonly calls: { readonly call_id: string; readonly state: string }[];
}

const phoneOf = ({ phone }: { phone: string }): Promise<Phone> => gateway.sandbox('GET', `/phones/${phone}`);

describe('typing', () => {
  const typing = (body: object) => me.on('POST', '/typing', body);
  const shownTo = async (someone: Someone) => (await phoneOf(someone)).typing.map(({ chat_jid }) => chat_jid);

  test('shows until it is stopped', async () => {
    expect(await typing({ to: ada.jid })).toMatchObject({ status: 204, body: undefined });
    await vi.waitFor(async () => expect(await shownTo(ada)).toEqual([me.jid]), WATCHING);
    expect((await typing({ to: ada.jid, typing: false })).status).toBe(204);
    await vi.waitFor(async () => expect(await shownTo(ada)).toEqual([]), WATCHING);
  });

  test('shows in groups', async () => {
    const ben = await someone(gateway, { name: 'Ben' });
    const { body } = await me.on<Group>('POST', '/groups', { name: 'Lunch', participants: [ben.jid] });
    expect((await typing({ to: body.jid, typing: true })).status).toBe(204);
    await vi.waitFor(async () => expect(await shownTo(ben)).toEqual([body.jid]), WATCHING);
  });

  test.each([
    {},
    { to: 'nonsense' },
    { to: '15550002001:1@s.whatsapp.net' },
    { to: '1@g.us', typing: 'yes' },
  ])('%o is 400', async (body) => {
    expect((await typing(body)).status).toBe(400);
  });
});

describe('presence', () => {
  const subscribe = (body: object) => me.on('POST', '/presence/subscribe', body);

  test('is subscribed to, also for people who may never show it', async () => {
    expect(await subscribe({ contact_jid: ada.jid })).toMatchObject({ status: 204, body: undefined });
    expect((await subscribe({ contact_jid: `${newPhoneNumber()}@s.whatsapp.net` })).status).toBe(204);
  });

  test('of the number itself follows its policy, and by default its listeners', async () => {
    const other = await linkedNumber(gateway);
    const untilOnline = (online: boolean) =>
      vi.waitFor(async () => expect(await phoneOf(other)).toMatchObject({ online }), WATCHING);
    const choose = (policy: string) => other.on<object>('PUT', '/presence-policy', { policy });
    expect((await other.on<object>('GET', '')).body).toMatchObject({ presence_policy: 'auto' });
    await untilOnline(false);
    const webhook = { session_id: other.sessionId, events_url: 'http://127.0.0.1:65000/events' };
    const { body, status } = await other.call<{ id: string }>('POST', '/webhooks', webhook);
    expect(status).toBe(201);
    await untilOnline(true);

    expect(await choose('unavailable')).toMatchObject({
      status: 200,
      body: { session_id: other.sessionId, presence_policy: 'unavailable' },
    });
    await untilOnline(false);
    expect((await other.on<object>('GET', '')).body).toMatchObject({ presence_policy: 'unavailable' });
    await choose('auto');
    await untilOnline(true);
    await other.call('DELETE', `/webhooks/${body.id}`);
    await untilOnline(false);
    await choose('available');
    await untilOnline(true);
    expect((await choose('sometimes')).status).toBe(400);
  });

  test.each([{}, { contact_jid: 'nonsense' }, { contact_jid: '120363000000000000@g.us' }])(
    '%o is 400',
    async (body) => {
      expect((await subscribe(body)).status).toBe(400);
    },
  );
});

describe('calls', () => {
  const setting = '/calls/auto-reject';
  /** Returns a call from Ada to the number, with its outcome; it rings on until it is rejected. */
  async function call(): Promise<{ id: string; state(): Promise<string | undefined> }> {
    const { call_id: id } = await gateway.sandbox<{ call_id: string }>('POST', `/phones/${ada.phone}/calls`, {
      to: me.phone,
    });
    return { id, state: async () => (await phoneOf(ada)).calls.find(({ call_id }) => call_id === id)?.state };
  }

  /** It has reached the gateway: a later setting applies to later calls. */
  const callArrived = ({ id }: { id: string }): Promise<void> =>
    vi.waitFor(async () => {
      const { body } = await me.call<EventPage>('GET', '/events?kind=call&limit=100');
      expect(body.events.map(({ event }) => event)).toContainEqual(expect.objectContaining({ call_id: id }));
    }, WATCHING);

  test('ring until rejection is switched on, which applies to the next call, and off again', async () => {
    const session_id = me.sessionId;
    expect(await me.on('GET', setting)).toMatchObject({
      status: 200,
      body: { session_id, auto_reject: false },
    });
    const first = await call();
    await callArrived(first);

    expect(await me.on('POST', setting, { enabled: true })).toMatchObject({
      status: 200,
      body: { session_id, auto_reject: true },
    });
    expect((await me.on('GET', setting)).body).toEqual({ session_id, auto_reject: true });
    const second = await call();
    await vi.waitFor(async () => expect(await second.state()).toBe('rejected'), WATCHING);
    expect(await first.state()).toBe('ringing');

    await me.on('POST', setting, { enabled: false });
    const third = await call();
    const fourth = await call();
    await callArrived(fourth);
    await me.on('POST', setting, { enabled: true });
    const fifth = await call();
    // Calls arrive in order: once the last is rejected, the earlier ones have been decided.
    await vi.waitFor(async () => expect(await fifth.state()).toBe('rejected'), WATCHING);
    expect([await third.state(), await fourth.state()]).toEqual(['ringing', 'ringing']);
  });

  test.each([{}, { enabled: 'yes' }])('%o is 400', async (body) => {
    expect((await me.on('POST', setting, body)).status).toBe(400);
  });
});
