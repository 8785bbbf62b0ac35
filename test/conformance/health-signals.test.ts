import type { EventOf, EventPage, SessionHealth } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import { type LinkedNumber, linkedNumber, type Someone, someone, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

/** Every signal of the network about a number's health, from the wire to all places that show it. */
const gateway = sharedGateway();

interface Signal {
  readonly what: string;
  /** Makes the network send it. */
  drive(number: LinkedNumber): Promise<unknown>;
  /** The health in `GET /health`. */
  readonly shows: object;
  /** The health in the event; absent when the state does not change, so that there is no event. */
  readonly eventHas?: object;
  /** The count over all numbers. */
  readonly counts?: { readonly metric: string };
}

const on = (number: LinkedNumber, path: string, body: object = {}): Promise<unknown> =>
  gateway.sandbox('POST', `/phones/${number.phone}/${path}`, body);

const spoil = ({ sessionId }: LinkedNumber, fault: string, more: object = {}): Promise<unknown> =>
  gateway.sandbox('POST', '/faults', { session_id: sessionId, fault, ...more });

let keys = 0;
async function send(number: LinkedNumber, { phone: to }: Someone, end: 'sent' | 'failed'): Promise<void> {
  const key = { 'Idempotency-Key': `signal-${number.phone}-${keys++}` };
  const message = { session_id: number.sessionId, to, text: 'Hello' };
  const accepted = await number.call<{ message_id: string }>('POST', '/messages', message, key);
  expect(accepted.status).toBe(202);
  await vi.waitFor(async () => {
    const { body } = await number.call<{ status: string }>('GET', `/messages/${accepted.body.message_id}`);
    expect(end === 'failed' ? ['failed'] : ['sent', 'delivered', 'read']).toContain(body.status);
  }, WATCHING);
}

async function sendRefused(number: LinkedNumber, code: number, to?: Someone): Promise<void> {
  await spoil(number, 'send_permanent', { code });
  await send(number, to ?? (await someone(gateway)), 'failed');
}

const anyTime = expect.any(Number);
const lock = (type: string): Signal => ({
  what: `a lock of new chats (${type})`,
  drive: (number) => on(number, 'restrict', { type, for_s: 3_600 }),
  shows: {
    state: 'restricted',
    until_unix: anyTime,
    restriction: { kind: 'reachout_timelock', type, ends_unix: anyTime },
    pacing: { held_reason: 'reachout_timelock', held_until_unix: anyTime },
    advice: [{ code: 'stop_new_chats' }, { code: 'wait_until' }],
  },
  eventHas: { state: 'restricted', restriction: { kind: 'reachout_timelock', type } },
});
const cap = (warning: 'first' | 'second', used: number): Signal => ({
  what: `the ${warning} warning of a quota`,
  drive: (number) => on(number, 'cap', { quota: 10, used }),
  shows: {
    state: 'watch',
    new_chats: { quota: 10, used, warning, cycle_ends_unix: anyTime },
    advice: [{ code: 'slow_down_new_chats' }],
  },
  eventHas: { state: 'watch', new_chats: { quota: 10, used, warning } },
});

const SIGNALS: readonly Signal[] = [
  lock('RESTRICT_ALL_COMPANIONS'),
  lock('WEB_COMPANION_ONLY'),
  cap('first', 8),
  cap('second', 9),
  {
    what: 'a quota that is used up',
    drive: (number) => on(number, 'cap', { quota: 10, used: 10 }),
    shows: {
      state: 'restricted',
      restriction: { kind: 'new_chat_cap', ends_unix: anyTime },
      new_chats: { quota: 10, used: 10, warning: 'capped' },
      pacing: { held_reason: 'new_chat_cap' },
    },
    eventHas: { state: 'restricted', restriction: { kind: 'new_chat_cap' } },
  },
  {
    what: '463 to people without a chat, three times',
    async drive(number) {
      for (let times = 0; times < 3; times += 1) await sendRefused(number, 463);
    },
    shows: {
      state: 'watch',
      last_day: { refused_463_unknown: 3, refused_463_known: 0, new_chats: 3, sent: 0 },
      pacing: { held_reason: 'refused_new_chats' },
      advice: [{ code: 'ask_people_to_write_first' }],
    },
    eventHas: { state: 'watch', advice: ['ask_people_to_write_first'] },
    counts: { metric: 'parley_refused_new_chats_today{contact="unknown"}' },
  },
  {
    what: '475, without a word about the quota',
    drive: (number) => sendRefused(number, 475),
    shows: {
      state: 'restricted',
      restriction: { kind: 'new_chat_cap', ends_unix: anyTime },
      last_day: { refused_463_unknown: 0, refused_463_known: 0, new_chats: 1, sent: 0 },
      pacing: { held_reason: 'new_chat_cap' },
    },
    eventHas: { state: 'restricted', restriction: { kind: 'new_chat_cap' } },
  },
  {
    what: '463 for a contact with a chat',
    async drive(number) {
      const ada = await someone(gateway);
      await send(number, ada, 'sent');
      await sendRefused(number, 463, ada);
    },
    shows: { state: 'healthy', last_day: { refused_463_known: 1, refused_463_unknown: 0, sent: 1 } },
    counts: { metric: 'parley_refused_new_chats_today{contact="known"}' },
  },
  {
    what: '479',
    drive: (number) => sendRefused(number, 479),
    shows: { state: 'healthy', last_day: { refused_479: 1, refused_463_unknown: 0 } },
  },
  {
    what: 'rate-overlimit',
    async drive(number) {
      await on(number, 'rate-overlimit', { kind: 'users', for_s: 3_600 });
      const { phone } = await someone(gateway);
      await number.on('POST', '/validate', { numbers: [phone] });
    },
    shows: { state: 'watch', last_day: { rate_overlimit: anyTime } },
    eventHas: { state: 'watch' },
  },
  {
    what: 'a message that cannot be read',
    async drive(number) {
      await spoil(number, 'undecryptable');
      const ada = await someone(gateway);
      await gateway.sandbox('POST', `/phones/${ada.phone}/messages`, { to: number.phone, text: 'Hello' });
    },
    shows: { state: 'healthy', last_day: { undecryptable: 1 }, inbound_last_unix: anyTime },
  },
  {
    what: 'an unresponsive connection',
    drive: (number) => spoil(number, 'stream_error', { code: 408 }),
    shows: { state: 'watch', last_day: { deaf: 1, disconnects: 1 } },
    eventHas: { state: 'watch' },
  },
  {
    what: 'a ban for a time',
    drive: (number) => on(number, 'ban', { code: 104, expire_s: 3_600 }),
    shows: {
      state: 'banned',
      until_unix: anyTime,
      restriction: { kind: 'temporary_ban', code: 104, ends_unix: anyTime },
      advice: [{ code: 'wait_until' }],
    },
    eventHas: { state: 'banned', restriction: { kind: 'temporary_ban', code: 104 } },
  },
  {
    what: 'a lock of the account',
    drive: (number) => on(number, 'lock'),
    shows: { state: 'banned', restriction: { kind: 'locked' }, advice: [{ code: 'appeal_on_phone' }] },
    eventHas: { state: 'banned', restriction: { kind: 'locked' } },
  },
  {
    what: 'the removal of the device',
    drive: (number) => on(number, 'remove-device'),
    shows: { state: 'unlinked', advice: [{ code: 'link_again' }] },
    eventHas: { state: 'unlinked' },
  },
];

/** A metric of one process; those of the whole gateway are the same in all of them. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}

interface Overview {
  readonly devices: readonly {
    readonly slot_id: string;
    readonly health?: Pick<SessionHealth, 'state' | 'restriction'>;
  }[];
}

/** The operator's page and the metrics agree on all numbers, and this one is among them. */
async function expectInOverview(
  { slotId }: LinkedNumber,
  { state, restriction }: SessionHealth,
): Promise<void> {
  await vi.waitFor(async () => {
    const { devices } = await gateway.operator<Overview>('GET', '/devices');
    const shown = devices.find(({ slot_id }) => slot_id === slotId)?.health;
    expect({ state: shown?.state, restriction: shown?.restriction }).toEqual({ state, restriction });
    const inState = devices.filter(({ health }) => health?.state === state).length;
    expect(await metric(`parley_numbers{health="${state}"}`)).toBe(inState);
  }, WATCHING);
}

test.for(SIGNALS)('$what reaches health, event, portal and metrics', async (signal) => {
  const number = await linkedNumber(gateway);
  const counted = signal.counts && (await metric(signal.counts.metric));
  await signal.drive(number);
  const health = await vi.waitFor(async () => {
    const { body } = await number.on<SessionHealth>('GET', '/health');
    expect(body).toMatchObject(signal.shows);
    return body;
  }, WATCHING);
  await expectInOverview(number, health);
  if (signal.counts) expect(await metric(signal.counts.metric)).toBeGreaterThan(counted ?? 0);

  const query = `?kind=health&session_id=${encodeURIComponent(number.sessionId)}&limit=50`;
  // The feed of a cluster delays an event until no older one can come, which may be later than the state.
  await vi.waitFor(async () => {
    const { body } = await number.call<EventPage>('GET', `/events${query}`);
    const events = body.events.map(({ event }) => event as EventOf<'health'>);
    if (signal.eventHas) expect(events.at(-1)).toMatchObject(signal.eventHas);
    else expect(events).toEqual([]);
  }, WATCHING);
});
