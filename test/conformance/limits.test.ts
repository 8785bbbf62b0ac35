import type { Device, Plan } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OwnGateway, startGateway } from './gateway.ts';
import {
  type LinkedNumber,
  link,
  linkedNumber,
  type Someone,
  someone,
  untilConnected,
  WATCHING,
} from './numbers.ts';
import { accepted, record, send, untilStatus } from './sends.ts';

/** The clock is moved here, so these tests have a gateway of their own. */
let gateway: OwnGateway;
let ada: Someone;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.sandbox('PUT', '/rules', { few_keys: true });
  ada = await someone(gateway);
});
afterAll(() => gateway.stop());

const text = () => ({ to: ada.phone, text: 'Hello' });

async function pass(seconds: number, ...online: LinkedNumber[]): Promise<void> {
  await gateway.sandbox('POST', '/clock', { advance_seconds: seconds });
  // Requests in flight during the jump have to recover.
  for (const number of online) await untilConnected(number);
}

/** Sends until a refusal; returns it and the number of accepted sends. */
async function sendUntilRefused(number: LinkedNumber, most = 200) {
  for (let sent = 0; sent < most; sent++) {
    const answer = await send(number, text());
    if (answer.status !== 202) return { sent, answer };
  }
  throw new Error(`${most} messages went`);
}

const retryAfter = ({ headers }: { headers: Headers }): number => Number(headers.get('retry-after'));
const rateOf = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

describe('the rate of a session', () => {
  test('is five at once, then one a second, and every answer has the remaining count', async () => {
    const me = await linkedNumber(gateway, { plan: 'max' });
    const rates = [];
    for (let sent = 0; sent < 5; sent++) rates.push(rateOf(await send(me, text())).slice(0, 2));
    expect(rates[0]).toEqual([5, 4]);
    const refused = await send(me, text());
    // A slow machine may have gained one more meanwhile.
    if (refused.status === 429) {
      expect(refused.body).toEqual({ error: 'session send rate exceeded' });
      expect(retryAfter(refused)).toBe(1);
      expect(rateOf(refused).slice(0, 2)).toEqual([5, 0]);
    }
    await pass(1, me);
    await accepted(me, text());
  });

  test('is also in the headers of unrelated refusals', { tags: 'anywhere' }, async () => {
    const me = await linkedNumber(gateway, { plan: 'free' });
    const refused = await send(me, { to: ada.phone, type: 'location', latitude: 1, longitude: 2 });
    expect(refused.status).toBe(403);
    expect(rateOf(refused)).toEqual([5, 5, 0]);
  });
});

const PER_MINUTE = { free: 10, pro: 20, max: 30 } as const;

describe('the pace of a plan', { tags: 'anywhere' }, () => {
  const numbers = new Map<Plan, LinkedNumber>();
  const wentInFirstMinute = new Map<Plan, number>();

  // All at once, because every second of the gateway's clock costs some of the machine's.
  beforeAll(async () => {
    for (const plan of plansOf(PER_MINUTE)) numbers.set(plan, await linkedNumber(gateway, { plan }));
    const startedAt = performance.now();
    let travelled = 0;
    const secondsPassed = () => travelled + (performance.now() - startedAt) / 1_000;
    // One per second of the gateway's clock, which stands still but for the duration of the request.
    for (; secondsPassed() < 55; travelled += 1) {
      await Promise.all([...numbers].map(([plan, number]) => askForOne(plan, number)));
      await pass(1);
    }
  });

  async function askForOne(plan: Plan, number: LinkedNumber): Promise<void> {
    const answer = await send(number, text());
    if (answer.status === 202) wentInFirstMinute.set(plan, (wentInFirstMinute.get(plan) ?? 0) + 1);
    else expect(answer).toMatchObject({ status: 429, body: { error: 'session send rate exceeded' } });
  }

  /** Another process may get the new time a moment later; a send that is due after another interval does not pass so soon. */
  const acceptedSoon = (number: LinkedNumber, plan: keyof typeof PER_MINUTE) => {
    const intervalMs = 60_000 / PER_MINUTE[plan];
    return vi.waitFor(() => accepted(number, text()), { timeout: 0.75 * intervalMs });
  };

  test.each(plansOf(PER_MINUTE))(
    '%s lets as many go as it has in the first minute and no more, then one per interval',
    async (plan) => {
      expect(wentInFirstMinute.get(plan)).toBe(PER_MINUTE[plan]);
      const me = numbers.get(plan);
      if (!me) throw new Error('it was linked before');

      const { answer } = await sendUntilRefused(me);
      expect(retryAfter(answer)).toBeLessThanOrEqual(60);
      await pass(retryAfter(answer), me);
      await acceptedSoon(me, plan);
      const next = await send(me, text());
      expect(next.status).toBe(429);
      expect(retryAfter(next)).toBeLessThanOrEqual(60 / PER_MINUTE[plan]);
      await pass(retryAfter(next), me);
      await acceptedSoon(me, plan);
    },
  );
});

test('an account may send forty at once, from any of its numbers', async () => {
  const first = await linkedNumber(gateway);
  const others = await Promise.all(Array.from({ length: 11 }, () => anotherNumberOf(first)));
  const startedAt = performance.now();
  const answers = await Promise.all(
    [first, ...others].flatMap((number) => Array.from({ length: 5 }, () => send(number, text()))),
  );
  const earned = 20 * ((performance.now() - startedAt) / 1_000);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(40);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 429, body: { error: 'user rate limit exceeded' } });
    expect(retryAfter(answer)).toBe(1);
  }
  // A slow machine gains some of them back meanwhile.
  expect(answers.length - refused.length).toBeLessThanOrEqual(41 + earned);
});

test('a hundred messages without a gap pause the number for five minutes', { tags: 'anywhere' }, async () => {
  const me = await linkedNumber(gateway, { plan: 'partner' });
  const limits = { partner_limits: { per_minute: 600, per_period: 1_000 } };
  await gateway.operator('PATCH', `/accounts/${me.accountId}`, limits);
  let sent = 0;
  let last = await send(me, text());
  while (last.status === 202 || last.body.error === 'session send rate exceeded') {
    if (last.status === 202) sent += 1;
    else await pass(5);
    last = await send(me, text());
  }
  expect(sent).toBe(100);
  const error =
    'consecutive send cooldown: too many messages sent back-to-back on this number; pause before sending again';
  expect(last).toMatchObject({ status: 429, body: { error } });
  expect(retryAfter(last)).toBeGreaterThan(290);
  expect(retryAfter(last)).toBeLessThanOrEqual(300);
  expect(rateOf(last).slice(0, 2)).toEqual([100, 0]);
  await pass(retryAfter(last), me);
  await accepted(me, text());
});

test('a used-up quota stops sending until the next period', { tags: 'anywhere' }, async () => {
  const me = await linkedNumber(gateway, { plan: 'partner' });
  const limits = { partner_limits: { per_minute: 600, per_period: 3 } };
  await gateway.operator('PATCH', `/accounts/${me.accountId}`, limits);
  const { sent, answer } = await sendUntilRefused(me);
  expect(sent).toBe(3);
  expect(answer).toMatchObject({ status: 429, body: { error: 'message quota exhausted' } });
  expect(answer.headers.get('retry-after')).toBeNull();
  const device = await gateway.operator<Device>('GET', `/devices/${me.slotId}`);
  expect(device).toMatchObject({ quota: 3, used: 3 });

  const { now_unix } = await gateway.sandbox<{ now_unix: number }>('GET', '/clock');
  await pass(Date.parse(device.period_end ?? '') / 1_000 - now_unix + 1, me);
  await accepted(me, text());
  expect(await gateway.operator('GET', `/devices/${me.slotId}`)).toMatchObject({ quota: 3, used: 1 });
});

test('a message can be edited for twenty minutes', { tags: 'anywhere' }, async () => {
  const me = await linkedNumber(gateway);
  const id = await accepted(me, text());
  await untilStatus(me, id, 'delivered');
  const edit = { to: ada.phone, type: 'edit', edit_message_id: id, text: 'Corrected' };
  await pass(19 * 60, me);
  await untilStatus(me, await accepted(me, edit), 'delivered');
  await pass(61, me);
  expect(await send(me, edit)).toMatchObject({
    status: 400,
    body: { error: 'message is too old to edit: the limit is 20 minutes' },
  });
});

test('a key is kept for a day', { tags: 'anywhere' }, async () => {
  const me = await linkedNumber(gateway);
  const first = await accepted(me, text(), 'daily');
  await pass(24 * 3_600 - 60, me);
  expect(await accepted(me, text(), 'daily')).toBe(first);
  await pass(61, me);
  expect(await accepted(me, text(), 'daily')).not.toBe(first);
});

test('transient failures are attempted five times, then the message has failed', {
  tags: 'anywhere',
}, async () => {
  const me = await linkedNumber(gateway);
  const fault = { session_id: me.sessionId, fault: 'send_transient', count: 5 };
  await gateway.sandbox('POST', '/faults', fault);
  const id = await accepted(me, text());
  await vi.waitFor(async () => {
    await pass(70);
    expect((await record(me, id)).body).toMatchObject({ status: 'failed', reason: 'RETRIES_EXHAUSTED' });
  }, WATCHING);
});

function plansOf<P extends Plan>(table: Record<P, number>): P[] {
  return Object.keys(table) as P[];
}

/** Another number of the same account, linked. */
async function anotherNumberOf(first: LinkedNumber): Promise<LinkedNumber> {
  const { phone, jid } = await someone(gateway);
  const { slot_id: slotId } = await gateway.operator<Device>('POST', `/accounts/${first.accountId}/devices`, {
    phone,
    plan: 'max',
  });
  return link({ ...first, slotId, phone, jid });
}
