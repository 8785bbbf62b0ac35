import { EVENT_STREAMS_PER_ACCOUNT, EVENT_STREAMS_PER_KEY } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { openBrowser, PORTAL_HEADERS, signIn } from '#surfaces/portal/testing';
import { databaseNames, moveIn, startGateway, type Tenant, type TestGateway } from '#testing';
import { createStreamSlots, LOOK_EVERY_MS, type Subscriber } from './streams.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };
const SECOND = 1_000;

interface OpenStream {
  readonly status: number;
  readonly body: string;
  readonly ended: boolean;
  close(): void;
}

describe.each(databaseNames)('streams of events (%s)', (database) => {
  let gateway: TestGateway;
  let url: string;
  const machineClock = createSteppedClock();
  const { sleep } = machineClock;
  let pauses = 0;
  /** Between two looks for revocations. */
  machineClock.sleep = (ms, signal) => {
    if (ms === LOOK_EVERY_MS) pauses += 1;
    return sleep.call(machineClock, ms, signal);
  };
  const opened: OpenStream[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ database, machineClock });
    url = await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => gateway.close());
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });

  async function open(headers: Record<string, string>, path = '/v1/events'): Promise<OpenStream> {
    const gone = new AbortController();
    const response = await fetch(url + path, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: gone.signal,
    });
    const stream = { status: response.status, body: '', ended: false, close: () => gone.abort() };
    const reading = (async () => {
      for await (const chunk of response.body ?? []) stream.body += Buffer.from(chunk).toString();
    })();
    void reading.then(
      () => Object.assign(stream, { ended: true }),
      () => Object.assign(stream, { ended: true }),
    );
    opened.push(stream);
    return stream;
  }
  const openWith = (key: string, path?: string) => open({ authorization: `Bearer ${key}` }, path);

  /** A second of the machine's time, of which each look that falls into it comes to its end. */
  async function aSecondPasses(): Promise<void> {
    for (let left = SECOND; left > 0; left -= LOOK_EVERY_MS) {
      const before = pauses;
      machineClock.advance(Math.min(left, LOOK_EVERY_MS));
      if (left < LOOK_EVERY_MS) return;
      await vi.waitFor(() => expect(pauses).toBeGreaterThan(before), PATIENCE);
    }
  }
  const hasEnded = (stream: OpenStream) => vi.waitFor(() => expect(stream.ended).toBe(true), PATIENCE);

  const revokeKeyOf = ({ accountId, keyId }: Tenant) =>
    gateway.operate('DELETE', `/accounts/${accountId}/api-keys/${keyId}`);

  describe('end within a second', () => {
    let other: OpenStream;
    beforeEach(async () => {
      other = await openWith((await moveIn(gateway)).apiKey);
    });
    afterEach(() => expect(other.ended).toBe(false));

    const inTheWay: Record<
      string,
      (tenant: Tenant) => Promise<{ key: string; path?: string; happen: () => Promise<unknown> }>
    > = {
      'when the key is revoked': async (tenant) => ({
        key: tenant.apiKey,
        happen: () => revokeKeyOf(tenant),
      }),
      'when the time of the key is over': async (tenant) => {
        const expires_at = new Date(gateway.clock.now() + 60_000).toISOString();
        const key = await tenant.makeKey({ expires_at });
        return { key, happen: async () => gateway.clock.advance(60_000) };
      },
      'when the account is suspended': async (tenant) => ({
        key: tenant.apiKey,
        happen: () => gateway.operate('PATCH', `/accounts/${tenant.accountId}`, { status: 'suspended' }),
      }),
      'when the number is suspended that the key is for': async (tenant) => ({
        key: await tenant.makeKey({ phone: tenant.phone }),
        happen: () => gateway.operate('PATCH', `/devices/${tenant.slotId}`, { status: 'suspended' }),
      }),
      'when the number is suspended that was asked for': async (tenant) => ({
        key: tenant.apiKey,
        path: `/v1/events?session_id=${encodeURIComponent(tenant.sessionId)}`,
        happen: () => gateway.operate('PATCH', `/devices/${tenant.slotId}`, { status: 'suspended' }),
      }),
    };

    it.each(Object.entries(inTheWay))('%s', async (_when, prepare) => {
      const tenant = await moveIn(gateway);
      const { key, path, happen } = await prepare(tenant);
      const stream = await openWith(key, path);
      expect(stream.status).toBe(200);
      await aSecondPasses();
      expect(stream.ended).toBe(false);
      await happen();
      await aSecondPasses();
      await hasEnded(stream);
      // The same credentials do not open another stream.
      expect([401, 403]).toContain((await openWith(key, path)).status);
    });

    it('when the owner signs out of the portal', async () => {
      const owner = await signIn(gateway);
      const stream = await open({ cookie: owner.browser.cookie }, '/portal/api/events/stream');
      const browser = openBrowser(gateway);
      for (const cookie of owner.browser.cookie.split('; ')) browser.keep(cookie);
      await browser.ask('POST', '/sign-out-everywhere', undefined, PORTAL_HEADERS);
      await aSecondPasses();
      await hasEnded(stream);
    });

    it('also for a caller that waits for a page', async () => {
      const tenant = await moveIn(gateway);
      const page = await waitForPage(tenant.apiKey);
      await revokeKeyOf(tenant);
      await aSecondPasses();
      expect(await page.answer).toMatchObject({ events: [] });
    });
  });

  /** Resolves when a caller waits for a page, which takes the slot of one stream. */
  async function waitForPage(key: string) {
    const others = Array.from({ length: EVENT_STREAMS_PER_KEY - 1 }, () => openWith(key));
    await Promise.all(others);
    const answer = fetch(`${url}/v1/events?wait_seconds=25`, {
      headers: { accept: 'application/json', authorization: `Bearer ${key}` },
    });
    await vi.waitFor(async () => {
      const further = await openWith(key);
      further.close();
      expect(further.status).toBe(429);
    }, PATIENCE);
    return { answer: answer.then((response) => response.json()) };
  }

  it('are bounded for each key and each account, and free again when they end', async () => {
    const tenant = await moveIn(gateway);
    const stranger = await moveIn(gateway);
    const refusal = {
      error: `too many event streams are open: the limits are ${EVENT_STREAMS_PER_KEY} per key and ${EVENT_STREAMS_PER_ACCOUNT} per account`,
    };
    const fill = async (key: string) => {
      const streams = await Promise.all(Array.from({ length: EVENT_STREAMS_PER_KEY }, () => openWith(key)));
      expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
      return streams;
    };
    const ask = (key: string, query = '') =>
      fetch(`${url}/v1/events${query}`, { headers: { authorization: `Bearer ${key}` } });

    const [first, ...others] = await fill(tenant.apiKey);
    for (const query of ['', '?wait_seconds=1']) {
      const refused = await ask(tenant.apiKey, query);
      expect([refused.status, await refused.json()]).toEqual([429, refusal]);
      expect(refused.headers.get('retry-after')).toBe('5');
    }
    expect((await ask(tenant.apiKey, '?limit=1')).status).toBe(200);
    first?.close();
    await vi.waitFor(async () => expect((await openWith(tenant.apiKey)).status).toBe(200), PATIENCE);

    let taken = others.length + 1;
    while (taken < EVENT_STREAMS_PER_ACCOUNT) taken += (await fill(await tenant.makeKey({}))).length;
    expect((await ask(await tenant.makeKey({}))).status).toBe(429);
    expect((await openWith(stranger.apiKey)).status).toBe(200);
  });
});

function setUp(learnNews: () => Promise<void> = async () => {}) {
  const clock = createSteppedClock();
  let looks = 0;
  const slots = createStreamSlots({
    clock,
    learnNews() {
      looks += 1;
      return learnNews();
    },
  });
  const gone = new AbortController();
  const take = (more: Partial<Subscriber> = {}) =>
    slots.take({
      ...{ accountId: 'acc_1', holder: 'key_1', slotId: undefined, mayStay: () => true },
      signal: gone.signal,
      ...more,
    });
  /** Until everybody was looked at once more. */
  async function look(): Promise<void> {
    const before = looks;
    clock.advance(400);
    await vi.waitFor(() => expect(looks).toBe(before + 1));
    await new Promise(setImmediate);
  }
  return { slots, take, look, gone, clock, looks: () => looks };
}

test('streams stay while they may, and end with the next look when they may not', async () => {
  const { take, look } = setUp();
  let may = true;
  const [one, other] = [take({ mayStay: () => may }), take({ holder: 'key_2' })];
  await look();
  expect([one.signal.aborted, other.signal.aborted]).toEqual([false, false]);
  may = false;
  await look();
  expect([one.signal.aborted, other.signal.aborted]).toEqual([true, false]);
});

test('a stream whose right cannot be proved ends', async () => {
  const { take, look } = setUp();
  const [one, other] = [
    take({ mayStay: () => Promise.reject(new Error('no database')) }),
    take({ slotId: 'slot_1' }),
  ];
  await look();
  expect([one.signal.aborted, other.signal.aborted]).toEqual([true, false]);
});

test('ends all streams when revocations cannot be read', async () => {
  const { take, look } = setUp(() => Promise.reject(new Error('no database')));
  const mayStay = vi.fn(() => true);
  const streams = [take({ mayStay }), take({ mayStay, holder: 'key_2' })];
  await look();
  expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(mayStay).not.toHaveBeenCalled();
});

test('those with one key and one number are asked about once', async () => {
  const { take, look } = setUp();
  const mayStay = vi.fn(() => false);
  const alike = [take({ mayStay }), take({ mayStay })];
  const apart = take({ slotId: 'slot_1' });
  await look();
  expect(mayStay).toHaveBeenCalledOnce();
  expect(alike.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(apart.signal.aborted).toBe(false);
});

test('a place is free again however its stream has ended', () => {
  const { take, gone, slots } = setUp();
  const streams = Array.from({ length: EVENT_STREAMS_PER_KEY }, () => take());
  expect(() => take()).toThrow('too many');
  streams[0]?.leave();
  take();
  expect(() => take()).toThrow('too many');
  gone.abort();
  // Who has gone before it is let in takes no place.
  for (let each = 0; each < 2 * EVENT_STREAMS_PER_KEY; each++) take();
  const here = new AbortController().signal;
  for (let each = 0; each < EVENT_STREAMS_PER_ACCOUNT; each++) take({ holder: `key_${each}`, signal: here });
  expect(() => take({ holder: 'another', signal: here })).toThrow('too many');
  const elsewhere = take({ accountId: 'acc_2', holder: 'theirs', signal: here });
  expect(elsewhere.signal.aborted).toBe(false);
  slots.close();
  expect(elsewhere.signal.aborted).toBe(true);
});

test('does not poll without streams', async () => {
  const { take, look, clock, looks } = setUp();
  const stream = take();
  await look();
  stream.leave();
  await look();
  const before = looks();
  for (let turn = 0; turn < 5; turn++) {
    clock.advance(1_000);
    await new Promise(setImmediate);
  }
  expect(looks()).toBe(before);
  take();
  await look();
});
