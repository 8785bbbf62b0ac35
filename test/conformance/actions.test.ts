import { type Newsletter, type Operation, operations } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ask, type Method } from './ask.ts';
import {
  type LinkedNumber,
  linkedNumber,
  newPhoneNumber,
  type RegisteredNumber,
  register,
  WATCHING,
} from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

/** Common rules of all actions on the network. */

const gateway = sharedGateway();
const NOT_HOSTED = { status: 409, body: { error: 'session is not currently hosted by any worker' } };

const PARAMETERS: Record<string, string> = {
  group_id: '120363000000000000@g.us',
  jid: '15550002001@s.whatsapp.net',
  message_id: '3EB0C767D71C5A4F1D2B',
  nl: '120363000000000000@newsletter',
};

/** A valid body for every action that takes one. */
const BODIES: Record<string, object> = {
  setTyping: { to: '15550002001@s.whatsapp.net' },
  subscribePresence: { contact_jid: '15550002001@s.whatsapp.net' },
  setCallAutoReject: { enabled: true },
  validateNumbers: { numbers: ['15550002001'] },
  createGroup: { name: 'Launch team', participants: [] },
  changeParticipants: { participants: ['15550002001@s.whatsapp.net'], action: 'add' },
  renameGroup: { name: 'Launch team' },
  describeGroup: { description: '' },
  setGroupPhoto: { image_url: '' },
  joinGroup: { link: 'Hq2kJd83nPlA0zXy' },
  answerGroupRequests: { action: 'approve', participants: ['15550002001@s.whatsapp.net'] },
  changeGroupSettings: { announce: true },
  setProfileStatus: { status: 'Busy' },
  setProfileName: { name: 'Harbour Café' },
  setProfilePhoto: { image_url: '' },
  archiveChat: { on: true },
  pinChat: { on: true },
  muteChat: { on: true },
  tellMessageRead: {},
  starMessage: { from_me: false, on: true },
  changeBlocklist: { jid: '15550002001@s.whatsapp.net', action: 'block' },
  createNewsletter: { name: 'Harbour news' },
  muteNewsletter: { mute: true },
  followNewsletter: { channel: '120363000000000000@newsletter' },
  postToNewsletter: { text: 'High water at nine' },
  reactInNewsletter: { server_id: 1, message_id: '3EB0C767D71C5A4F1D2B', reaction: '👍' },
};

const actions = Object.values<Operation>(operations).filter(({ limits }) =>
  limits.includes('network_action'),
);

/** Queries of actions that require one. */
const QUERIES: Record<string, string> = { getIdentity: '?phone=15550002001' };

function requestOf({ id, method, path, body }: Operation, sessionId: string) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'id' ? sessionId : (PARAMETERS[name] ?? '')),
  );
  return { method: method as Method, path: filled + (QUERIES[id] ?? ''), ...(body && { body: BODIES[id] }) };
}

const ofPlan = (plan: 'free' | 'pro') => register(gateway, plan);

describe('every action', () => {
  let unpaired: RegisteredNumber;
  let lost: LinkedNumber;
  let poor: RegisteredNumber;

  beforeAll(async () => {
    [unpaired, lost, poor] = await Promise.all([register(gateway), linkedNumber(gateway), ofPlan('pro')]);
    const cut = { session_id: lost.sessionId, fault: 'disconnect', ms: 3_600_000 };
    await gateway.sandbox('POST', '/faults', cut);
    await vi.waitFor(async () => {
      expect((await lost.on('GET', '')).body).toMatchObject({ status: 'reconnecting' });
    }, WATCHING);
  });

  test.each(actions)('$id of a number that was never paired is 409', async (action) => {
    const request = requestOf(action, unpaired.jid);
    expect(await ask(gateway.url, { ...request, token: unpaired.apiKey })).toMatchObject(NOT_HOSTED);
  });

  test.each(actions)('$id of a number without connection is 409', async (action) => {
    const request = requestOf(action, lost.sessionId);
    expect(await ask(gateway.url, { ...request, token: lost.apiKey })).toMatchObject(NOT_HOSTED);
  });

  test.each(actions)('$id of a foreign number is 403', async (action) => {
    const request = requestOf(action, lost.sessionId);
    expect(await ask(gateway.url, { ...request, token: unpaired.apiKey })).toMatchObject({
      status: 403,
      body: { error: 'session does not belong to this user' },
    });
  });

  test.each(actions.filter(({ feature }) => feature))('$id needs a plan with $feature', async (action) => {
    const request = requestOf(action, poor.jid);
    expect(await ask(gateway.url, { ...request, token: poor.apiKey })).toMatchObject({
      status: 403,
      body: { error: `plan pro does not include ${action.feature}` },
    });
  });

  test.each(actions.filter(({ body }) => body))('$id without a body is 400', async (action) => {
    const { method, path } = requestOf(action, unpaired.jid);
    expect((await ask(gateway.url, { method, path, token: unpaired.apiKey })).status).toBe(400);
  });
});

describe.concurrent('a number', () => {
  async function channelOf({ on }: LinkedNumber): Promise<string> {
    const { body } = await on<Newsletter>('POST', '/newsletters', { name: 'Harbour news' });
    return `/newsletters/${encodeURIComponent(body.jid)}`;
  }

  async function messagesIn(channel: string, { phone }: LinkedNumber): Promise<unknown[]> {
    const path = `/phones/${phone}/messages?chat=${channel.replace('/newsletters/', '')}`;
    return (await gateway.sandbox<{ messages: unknown[] }>('GET', path)).messages;
  }

  test('runs five actions at the same time; the sixth is asked to retry', async () => {
    const me = await linkedNumber(gateway);
    const channel = await channelOf(me);
    await gateway.sandbox('POST', '/faults', {
      session_id: me.sessionId,
      fault: 'slow',
      count: 5,
      ms: 5_000,
    });
    const five = Array.from({ length: 5 }, (_, n) =>
      me.on('POST', `${channel}/messages`, { text: `Slow ${n}` }),
    );
    // A slow network has the message long before its ack.
    await vi.waitFor(async () => expect(await messagesIn(channel, me)).toHaveLength(5), WATCHING);

    const sixth = await me.on('GET', '/groups');

    expect(sixth.body).toEqual({ error: 'too many concurrent requests for this number; retry shortly' });
    expect(sixth.headers.get('retry-after')).toBe('1');
    const answers = await Promise.all(five);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await me.on('GET', '/groups')).status).toBe(200);
  });

  test.concurrent('waits for a slow network', async () => {
    const me = await linkedNumber(gateway);
    const slow = { session_id: me.sessionId, fault: 'slow', ms: 1_500, count: 5 };
    // More than once, because a new number sends some queries of its own.
    for (const path of ['/groups', `/contacts/${encodeURIComponent(me.jid)}`]) {
      await gateway.sandbox('POST', '/faults', slow);
      const asked = performance.now();
      expect((await me.on('GET', path)).status).toBe(200);
      expect(performance.now() - asked).toBeGreaterThan(1_400);
    }
  });

  test.concurrent('waits for the network for 20 seconds at most', async () => {
    const me = await linkedNumber(gateway);
    const channel = await channelOf(me);
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'no_ack' });
    expect(await me.on('POST', `${channel}/messages`, { text: 'Are you there?' })).toMatchObject({
      status: 502,
      body: { error: 'network did not answer within 20 seconds; retry later' },
    });
    expect((await me.on('GET', '/groups')).status).toBe(200);
  });

  test.concurrent('answers 502 when the network fails temporarily', async () => {
    const me = await linkedNumber(gateway);
    const channel = await channelOf(me);
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'send_transient' });
    expect(await me.on('POST', `${channel}/messages`, { text: 'Busy?' })).toMatchObject({
      status: 502,
      body: { error: 'network could not be reached; retry later' },
    });
  });

  test.concurrent('may use its contacts with every plan', async () => {
    const me = await linkedNumber(gateway, { plan: 'free' });
    expect((await me.on('GET', '/contacts')).status).toBe(200);
    expect((await me.on('POST', '/validate', { numbers: [newPhoneNumber()] })).status).toBe(200);
  });

  test.concurrent('is accepted with or without its device', async () => {
    const me = await linkedNumber(gateway);
    const bare = await me.call('GET', `/sessions/${encodeURIComponent(me.jid)}/groups`);
    expect(bare).toMatchObject({ status: 200, body: { groups: [] } });
  });
});
