import type { Onboarding, PortalNumber } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSystemClock } from '#kernel';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { newPhone, type Owner, register, signIn } from './testing/index.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

interface Visit {
  readonly status: number;
  // The answer may have any shape.
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Each is a path outside of the sandbox to some URL parser. */
const WAYS_OUT = [
  '/x/../../../operator/v1/accounts',
  '/x/%2e%2e/%2e%2e/%2e%2e/operator/v1/accounts',
  '/x/.%2E/%2e./../operator/v1/accounts',
  '/x\\..\\..\\..\\operator\\v1\\accounts',
  '/x/..\\..\\..\\operator/v1/accounts',
  '/x%2f..%2f..%2f..%2foperator%2fv1%2faccounts',
  '/x%5c..%5c..%5c..%5coperator%5cv1%5caccounts',
  '//operator/v1/accounts',
  '/x//operator/v1/accounts',
  '/%2e%2e/%2e%2e/operator/v1/accounts',
  '/../../operator/v1/accounts',
  '/phones/../../../operator/v1/accounts?limit=1',
  'http://127.0.0.1/operator/v1/accounts',
  '/@operator/v1/accounts/..',
  '/x/\t../\n../operator/v1/accounts',
];

/** Places of the virtual network: the gateway's own process, or another gateway that this one is configured with. */
const PLACES: Record<string, (opened: AsyncDisposableStack) => Promise<TestGateway>> = {
  'inside the gateway': async (opened) => start(opened),
  elsewhere: async (opened) => {
    const host = await start(opened);
    const url = await host.app.http.listen({ host: '127.0.0.1', port: 0 });
    return start(opened, { PARLEY_SANDBOX_URL: url });
  },
};

async function start(opened: AsyncDisposableStack, environment = {}): Promise<TestGateway> {
  const gateway = await startGateway({
    clock: createSystemClock(),
    environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, ...environment },
  });
  opened.defer(() => gateway.close());
  return gateway;
}

describe.each(Object.entries(PLACES))('the portal’s way to a sandbox %s', (_place, begin) => {
  let opened: AsyncDisposableStack;
  let gateway: TestGateway;
  let ada: Owner;
  let eve: Owner;
  /** Ada's phones: one linked to her number, and the phone of a recipient. */
  let number: string;
  const friend = newPhone();
  let sessionId: string;
  /** Created by the operator, with a number of Ada's linked to it. */
  let lent: string;
  let picture: string;
  let channel: string;

  const visit = ({ browser }: Owner, method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    browser.post<Visit>('/sandbox', { method, path, ...(body && { body }) });

  const asOperator = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Visit> => {
    const answer = await gateway.request({ method, url: `/sandbox/v1${path}`, key: OPERATOR_TOKEN, body });
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
  };

  async function link(owner: Owner, phone: string, scan: (qr: string) => Promise<Visit>): Promise<string> {
    const { onboard_id } = await owner.browser.post<Onboarding>(`/numbers/${phone}/pairing`, {
      method: 'qr',
    });
    const poll = () => owner.browser.get<Onboarding>(`/pairings/${onboard_id}`);
    await vi.waitFor(async () => expect((await poll()).status).toBe('qr'), PATIENCE);
    expect((await scan((await poll()).qr ?? '')).status).toBe(200);
    const session = async () => (await owner.browser.get<PortalNumber>(`/numbers/${phone}`)).session;
    await vi.waitFor(async () => expect(await session()).toMatchObject({ status: 'connected' }), PATIENCE);
    return (await session())?.session_id ?? '';
  }

  beforeAll(async () => {
    opened = new AsyncDisposableStack();
    gateway = await begin(opened);
    [ada, eve] = [await signIn(gateway), await signIn(gateway)];
    [number, lent] = [(await register(ada)).phone, (await register(ada)).phone];
    for (const phone of [number, friend])
      expect(await visit(ada, 'POST', '/phones', { phone, name: 'Ada’s' })).toMatchObject({ status: 201 });
    expect(await asOperator('POST', '/phones', { phone: lent, name: 'Lent' })).toMatchObject({ status: 201 });
    sessionId = await link(ada, number, (qr) => visit(ada, 'POST', `/phones/${number}/scan`, { qr }));
    await link(ada, lent, (qr) => asOperator('POST', `/phones/${lent}/scan`, { qr }));

    const dot = { media_type: 'image', media_base64: 'aGVsbG8=', mimetype: 'image/png' };
    await visit(ada, 'POST', `/phones/${friend}/messages`, { to: number, ...dot });
    const { body } = await visit(ada, 'GET', `/phones/${number}/messages`);
    picture = body.messages[0].media.sha256;
    const made = await visit(ada, 'POST', `/phones/${friend}/channels`, { name: 'Tides' });
    channel = made.body.jid;
    await visit(ada, 'POST', `/phones/${friend}/channels/${channel}/messages`, { text: 'high at noon' });
  });
  afterAll(() => opened.disposeAsync());

  describe('has no path to other routes', () => {
    it.each(WAYS_OUT)('by %j', async (path) => {
      for (const method of ['GET', 'POST', 'PUT'] as const) {
        const answer = await eve.browser.ask('POST', '/sandbox', { method, path });
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toEqual({ error: expect.stringMatching(/^path must be a path such as /) });
      }
    });

    it.each(['/endpoint', '/travels?follower=x&at=0', '/visits', '/operator/v1/accounts', '/phones/'])(
      'or to routes that accounts may not use: %s',
      async (path) => {
        const refusals = [400, 404, 405];
        const answer = await eve.browser.ask('POST', '/sandbox', { method: 'GET', path });
        const status = answer.statusCode === 200 ? answer.json().status : answer.statusCode;
        expect(refusals).toContain(status);
      },
    );
  });

  it('shows an account only the phones that it has created or that its numbers are linked to', async () => {
    const phonesOf = async (owner: Owner): Promise<string[]> =>
      (await visit(owner, 'GET', '/phones')).body.phones.map(({ phone }: { phone: string }) => phone).sort();
    expect(await phonesOf(ada)).toEqual([number, friend, lent].sort());
    expect(await phonesOf(eve)).toEqual([]);
    const own = newPhone();
    expect(await visit(eve, 'POST', '/phones', { phone: own, name: 'Eve' })).toMatchObject({ status: 201 });
    expect(await phonesOf(eve)).toEqual([own]);
    expect(await phonesOf(ada)).not.toContain(own);
    const { body } = await asOperator('GET', '/phones');
    expect(body.phones.map(({ phone }: { phone: string }) => phone)).toEqual(
      expect.arrayContaining([number, friend, lent, own]),
    );
  });

  it('answers for another’s phone as for one that does not exist', async () => {
    const paths: [('GET' | 'POST' | 'PUT')?, string?, object?][] = [
      ['GET', ''],
      ['GET', '/messages'],
      ['POST', '/messages', { to: number, text: 'forged' }],
      ['POST', '/unlink', { session_id: sessionId }],
      ['POST', '/presence', { online: true }],
      ['PUT', '/photo', { image_base64: '' }],
    ];
    const state = async () => [
      await visit(ada, 'GET', `/phones/${number}`),
      await visit(ada, 'GET', `/phones/${number}/messages`),
    ];
    const before = await state();
    const missing = newPhone();
    for (const theirs of [number, friend, lent])
      for (const [method = 'GET', path = '', body] of paths) {
        const refused = await visit(eve, method, `/phones/${theirs}${path}`, body);
        const unknown = await visit(eve, method, `/phones/${missing}${path}`, body);
        expect(refused.status).toBe(404);
        expect(JSON.stringify(refused).replaceAll(theirs, missing)).toBe(JSON.stringify(unknown));
      }
    expect(await state()).toEqual(before);
  });

  it('refuses to break another’s link, to read another’s file or channel, and to move the shared clock', async () => {
    for (const session_id of [sessionId, `${number}@s.whatsapp.net`, `${lent}@s.whatsapp.net`]) {
      const broken = await visit(eve, 'POST', '/faults', { session_id, fault: 'disconnect', ms: 60_000 });
      expect(broken).toEqual({ status: 404, body: { error: `${session_id} is not linked` } });
    }
    expect(await visit(ada, 'GET', `/media/${picture}`)).toMatchObject({ status: 200 });
    expect(await visit(eve, 'GET', `/media/${picture}`)).toMatchObject({ status: 404 });
    const own = newPhone();
    await visit(eve, 'POST', '/phones', { phone: own, name: 'Eve' });
    const postsFor = (owner: Owner, phone: string) =>
      visit(owner, 'GET', `/phones/${phone}/messages?chat=${encodeURIComponent(channel)}`);
    expect((await postsFor(ada, friend)).body.messages).toHaveLength(1);
    expect(await postsFor(eve, own)).toMatchObject({ status: 404 });
    const moved = await visit(eve, 'POST', '/clock', { advance_seconds: 3_600 });
    expect(moved).toEqual({ status: 403, body: { error: 'only the operator may do this' } });
    expect(await visit(eve, 'GET', '/clock')).toMatchObject({ status: 200 });
    const { session } = await ada.browser.get<PortalNumber>(`/numbers/${number}`);
    expect(session).toMatchObject({ status: 'connected' });
  });

  it('lets an account break its own link', async () => {
    const fault = { session_id: sessionId, fault: 'send_transient', count: 1 };
    expect(await visit(ada, 'POST', '/faults', fault)).toMatchObject({ status: 201 });
  });

  it('hides a phone from an account that has not created it and is no longer linked to it', async () => {
    expect(await visit(ada, 'GET', `/phones/${lent}`)).toMatchObject({ status: 200 });
    const { body } = await visit(ada, 'GET', `/phones/${lent}`);
    const [{ session_id }] = body.linked_devices;
    expect(await visit(ada, 'POST', `/phones/${lent}/unlink`, { session_id })).toMatchObject({ status: 204 });
    expect(await visit(ada, 'GET', `/phones/${lent}`)).toMatchObject({ status: 404 });
  });
});
