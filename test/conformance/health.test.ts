import type { EventOf, EventPage, SessionHealth } from '@parley/contract';
import { describe, expect, test, vi } from 'vitest';
import {
  type LinkedNumber,
  link,
  linkedNumber,
  register,
  type Someone,
  someone,
  WATCHING,
} from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();

const healthOf = async ({ on }: LinkedNumber): Promise<SessionHealth> =>
  (await on<SessionHealth>('GET', '/health')).body;

const untilState = (number: LinkedNumber, state: SessionHealth['state']): Promise<SessionHealth> =>
  vi.waitFor(async () => {
    const health = await healthOf(number);
    expect(health.state).toBe(state);
    return health;
  }, WATCHING);

/** The `health` events of each state of a number, oldest first. */
async function healthEvents({ call, sessionId }: LinkedNumber): Promise<EventOf<'health'>[]> {
  const query = `?kind=health&session_id=${encodeURIComponent(sessionId)}&limit=50`;
  const { body } = await call<EventPage>('GET', `/events${query}`);
  return body.events.map(({ event }) => event as EventOf<'health'>);
}

let keys = 0;
const send = (number: LinkedNumber, { phone: to }: Pick<Someone, 'phone'>) => {
  const key = `health-${number.phone}-${keys++}`;
  const message = { session_id: number.sessionId, to, text: 'Hello' };
  return number.call<{ error?: string }>('POST', '/messages', message, { 'Idempotency-Key': key });
};

describe('the health of a number', () => {
  test('is good at first, and counts what is sent and answered', async () => {
    const [number, ada] = [await linkedNumber(gateway), await someone(gateway)];
    expect(await healthOf(number)).toMatchObject({
      session_id: number.sessionId,
      state: 'healthy',
      advice: [],
      last_day: { sent: 0, new_chats: 0 },
    });
    expect((await send(number, ada)).status).toBe(202);
    await vi.waitFor(async () => expect((await healthOf(number)).last_day.sent).toBe(1), WATCHING);
    await gateway.sandbox('POST', `/phones/${ada.phone}/messages`, { to: number.phone, text: 'Thanks' });
    await vi.waitFor(
      async () =>
        expect(await healthOf(number)).toMatchObject({
          last_day: { sent: 1, new_chats: 1, replies: 1, reply_rate: 1 },
          inbound_last_unix: expect.any(Number),
        }),
      WATCHING,
    );
    expect(await healthEvents(number)).toEqual([]);
  });

  test('follows a lock: sends to new people are refused, known chats go on, until it is lifted', async () => {
    const number = await linkedNumber(gateway);
    const [ada, ben] = [await someone(gateway), await someone(gateway)];
    await send(number, ada);
    await vi.waitFor(async () => expect((await healthOf(number)).last_day.sent).toBe(1), WATCHING);
    const restrict = (for_s: number) =>
      gateway.sandbox('POST', `/phones/${number.phone}/restrict`, { type: 'RESTRICT_ALL_COMPANIONS', for_s });
    await restrict(3_600);
    const health = await untilState(number, 'restricted');
    expect(health).toMatchObject({
      restriction: {
        kind: 'reachout_timelock',
        type: 'RESTRICT_ALL_COMPANIONS',
        ends_unix: health.until_unix,
      },
      pacing: { held_reason: 'reachout_timelock', held_until_unix: health.until_unix },
      advice: [{ code: 'stop_new_chats' }, { code: 'wait_until' }],
    });
    const held = await send(number, ben);
    expect(held.status).toBe(429);
    expect(held.body.error).toMatch(
      /^held back to protect this number: the network lets it begin no new chats, until \d{4}-\d\d-\d\dT[\d:]{8}Z$/,
    );
    const wait = Number(held.headers.get('Retry-After'));
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThanOrEqual(3_600);
    expect((await send(number, ada)).status).toBe(202);

    await restrict(0);
    await untilState(number, 'healthy');
    expect((await send(number, ben)).status).toBe(202);
    const changes = async () =>
      (await healthEvents(number)).map(({ previous_state, state }) => [previous_state, state]);
    // On PostgreSQL the feed shows nothing that a running transaction could still precede.
    await vi.waitFor(
      async () =>
        expect(await changes()).toEqual([
          ['healthy', 'restricted'],
          ['restricted', 'healthy'],
        ]),
      WATCHING,
    );
    expect((await healthOf(number)).last_day).toMatchObject({ held_back: 1, refused_463_unknown: 0 });
  });

  test('includes the contacts from before the link', async () => {
    const [{ phone }, ada, ben] = [await someone(gateway), await someone(gateway), await someone(gateway)];
    await gateway.sandbox('POST', `/phones/${ada.phone}/messages`, { to: phone, text: 'Long ago' });
    const number = await link(await register(gateway, 'max', phone));
    await gateway.sandbox('POST', `/phones/${phone}/restrict`, {
      type: 'RESTRICT_ALL_COMPANIONS',
      for_s: 3_600,
    });
    await untilState(number, 'restricted');
    expect((await send(number, ben)).status).toBe(429);
    // The phone sends its history in the background.
    await vi.waitFor(async () => expect((await send(number, ada)).status).toBe(202), WATCHING);
    expect((await healthOf(number)).last_day.new_chats).toBe(0);
  });

  test('respects the network’s quota of new chats', async () => {
    const number = await linkedNumber(gateway);
    const people = [await someone(gateway), await someone(gateway), await someone(gateway)] as const;
    await gateway.sandbox('POST', `/phones/${number.phone}/cap`, { quota: 10, used: 8 });
    await untilState(number, 'watch');
    expect(await healthOf(number)).toMatchObject({
      new_chats: { quota: 10, used: 8, warning: 'first' },
      advice: [{ code: 'slow_down_new_chats' }],
    });
    const statuses = [];
    for (const person of people) statuses.push((await send(number, person)).status);
    expect(statuses).toEqual([202, 202, 429]);
    await untilState(number, 'restricted');
    expect(await healthOf(number)).toMatchObject({ restriction: { kind: 'new_chat_cap' } });
  });

  test('ends with its link', { tags: 'anywhere' }, async () => {
    const number = await linkedNumber(gateway);
    await number.on('DELETE', '');
    expect(await untilState(number, 'unlinked')).toMatchObject({ advice: [{ code: 'link_again' }] });
  });
});

describe('pacing', { tags: 'anywhere' }, () => {
  test('is set field by field, and invalid values are refused', async () => {
    const number = await linkedNumber(gateway);
    const { pacing: before } = await healthOf(number);
    expect(before).toEqual({
      hold_new_chats: true,
      respect_quota: true,
      pause_after_refusals: true,
      daily_new_chats: 0,
      warm_up_days: 14,
      gap_min_seconds: 0,
      gap_max_seconds: 0,
    });
    const put = (body: object) => number.on<{ error?: string }>('PUT', '/pacing', body);
    const chosen = { ...before, daily_new_chats: 2, warm_up_days: 0 };
    expect(await put({ daily_new_chats: 2, warm_up_days: 0 })).toMatchObject({
      status: 200,
      body: { session_id: number.sessionId, ...chosen },
    });
    for (const [body, error] of [
      [{ gap_min_seconds: 5 }, 'gap_min_seconds must be at most gap_max_seconds'],
      [{ daily_new_chats: -1 }, expect.stringMatching(/^daily_new_chats must /)],
      [{ mood: 'calm' }, expect.stringMatching(/mood/)],
    ] as const)
      expect(await put(body)).toMatchObject({ status: 400, body: { error } });
    expect((await healthOf(number)).pacing).toEqual(chosen);

    const statuses = [];
    for (let person = 0; person < 3; person++) {
      const { status, body } = await send(number, await someone(gateway));
      statuses.push(status === 429 ? body.error : status);
    }
    expect(statuses).toEqual([
      202,
      202,
      expect.stringContaining('its budget of new chats is used up, until '),
    ]);
  });

  test('is 404 for a number that was never linked', async () => {
    const number = await register(gateway);
    const path = `/sessions/${encodeURIComponent(number.jid)}`;
    expect((await number.call('GET', `${path}/health`)).status).toBe(404);
    expect((await number.call('PUT', `${path}/pacing`, { daily_new_chats: 5 })).status).toBe(404);
  });
});
