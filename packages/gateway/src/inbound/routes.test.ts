import type { AuditLog, EventPage, PublicEvent, QuarantineEntry } from '@parley/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEventLog, type EventLog, parseCursor } from '#events';
import { HEALTH_EVENT } from '#events/testing';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import type { NetworkEvent } from '#network';
import { createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import { StoreError } from '#platform/store';
import {
  describeOnEachDatabase,
  moveIn,
  OPERATOR_TOKEN,
  startGateway,
  type Tenant,
  type TestGateway,
  type TestStore,
} from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { createQuarantine } from './quarantine.ts';
import { listQuarantine } from './quarantine-queries.ts';
import { retryQuarantined } from './routes.ts';
import type { NetworkEventSink } from './sink.ts';
import { ADA, message, SESSION } from './testing/sink.ts';

const SECOND = 1_000;

type QuarantineList = { readonly entries: readonly QuarantineEntry[] };

const machineClock = createSteppedClock();
/** Not that of the gateway, which opens nothing of what is made here. */
const sealedBox = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
let gateway: TestGateway;
let url: string;
let log: EventLog;
let me: Tenant;

beforeAll(async () => {
  gateway = await startGateway({ machineClock });
  url = await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
  const { clock, app } = gateway;
  log = createEventLog({ store: app.store, bus: createLocalBus({ clock }), sealedBox, clock });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  me = await moveIn(gateway);
});

const presence = (contact_jid: string): PublicEvent => ({
  ...{ kind: 'presence', session_id: 'x', contact_jid, online: true },
});

/** Each of a contact, whose name is the key. */
async function comeOnline(number: Pick<Tenant, 'accountId' | 'slotId'>, ...contacts: string[]) {
  const { accountId, slotId } = number;
  await log.emit(contacts.map((key) => ({ accountId, slotId, key, event: presence(key) })));
}

const ask = (query: string, key = me.apiKey) =>
  gateway.request({ method: 'GET', url: `/v1/events${query}`, key });
const page = async (query: string, key?: string) => (await ask(query, key)).json<EventPage>();
const contactsIn = ({ events }: EventPage) =>
  events.map(({ event }) => (event.kind === 'presence' ? event.contact_jid : event.kind));
const of = ({ sessionId }: Tenant) => `session_id=${encodeURIComponent(sessionId)}`;

/** What a client gets that says what it accepts, or does not. */
async function openedBy(query: string, headers: Record<string, string> = {}) {
  const leave = new AbortController();
  const answer = await fetch(`${url}/v1/events${query}`, {
    headers: { authorization: `Bearer ${me.apiKey}`, ...headers },
    signal: leave.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    header: (name: string) => answer.headers.get(name),
    /** As far as there is a text for it. */
    async readUntil(text: string): Promise<string> {
      let read = '';
      while (!read.includes(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) break;
        read += value;
      }
      return read;
    },
    async [Symbol.asyncDispose]() {
      await reader?.cancel();
      leave.abort();
    },
  };
}

describe('an answer', () => {
  test.each([
    ['', {}, 'text/event-stream'],
    ['?kind=presence', { accept: '*/*' }, 'text/event-stream'],
    ['?limit=1', { accept: 'text/event-stream' }, 'text/event-stream'],
    ['', { accept: 'application/json' }, 'application/json'],
    ['?after=0-0', {}, 'application/json'],
    ['?limit=1', {}, 'application/json'],
    ['?wait_seconds=0', {}, 'application/json'],
  ])('to %j with %j is of type %s', async (query, headers, type) => {
    await using answer = await openedBy(query, { accept: '*/*', ...headers });
    expect(answer.header('content-type')).toBe(`${type}; charset=utf-8`);
    if (type === 'application/json') return;
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.header('x-accel-buffering')).toBe('no');
  });
});

describe('a stream', () => {
  test('begins with what happens next, behind `after`, or behind what the client has seen last', async () => {
    await comeOnline(me, 'one', 'two', 'three');
    const { events } = await page('');
    const [first, second] = events.map(({ cursor }) => cursor);
    for (const [query, seen, begins] of [
      [`?after=${first}`, undefined, first],
      ['', second, second],
      [`?after=${first}`, second, second],
      ['', undefined, events.at(-1)?.cursor],
    ] as const) {
      const headers = { accept: 'text/event-stream', ...(seen && { 'last-event-id': seen }) };
      await using stream = await openedBy(query, headers);
      expect(await stream.readUntil('\n\n')).toContain(`id: ${begins}\n`);
    }
  });
});

describe('a page', () => {
  test('goes on behind the last, and where there is nothing new stays there', async () => {
    const empty = await page('');
    expect(empty.events).toEqual([]);
    expect(parseCursor(empty.next_cursor)).toEqual({ tx: 0, seq: 0 });
    await comeOnline(me, 'one', 'two', 'three');
    const first = await page(`?after=${empty.next_cursor}&limit=2`);
    expect(contactsIn(first)).toEqual(['one', 'two']);
    expect(first.events[0]).toEqual({
      event_id: expect.stringMatching(/^presence_/),
      cursor: expect.any(String),
      event: presence('one'),
    });
    expect(first.next_cursor).toBe(first.events[1]?.cursor);
    const second = await page(`?after=${first.next_cursor}`);
    expect(contactsIn(second)).toEqual(['three']);
    expect(await page(`?after=${second.next_cursor}`)).toEqual({
      events: [],
      next_cursor: second.next_cursor,
    });
  });

  test('has a hundred events where no limit is given', async () => {
    await comeOnline(me, ...Array.from({ length: 101 }, (_, place) => `c${place}`));
    expect((await page('')).events).toHaveLength(100);
  });

  test('waits for what comes, and no longer than it was asked to', async () => {
    await comeOnline(me, 'before');
    expect(contactsIn(await page('?wait_seconds=25'))).toEqual(['before']);
    const { next_cursor } = await page('');
    let isOver = false;
    const begun = machineClock.monotonic();
    const next = page(`?after=${next_cursor}&wait_seconds=2`).finally(() => {
      isOver = true;
    });
    await vi.waitFor(
      () => {
        machineClock.advance(100);
        expect(isOver).toBe(true);
      },
      { timeout: 15_000, interval: 5 },
    );
    expect(await next).toEqual({ events: [], next_cursor });
    expect(machineClock.monotonic() - begun).toBeGreaterThanOrEqual(2 * SECOND);
  });

  test('has all numbers of the account, or the one that is asked for or that the key is for', async () => {
    const sibling = await moveIn(gateway);
    const other = { accountId: me.accountId, slotId: await numberOf(me) };
    await comeOnline(me, 'mine');
    await comeOnline(other, 'of the other');
    await comeOnline(sibling, 'of a stranger');
    expect(contactsIn(await page(''))).toEqual(['mine', 'of the other']);
    expect(contactsIn(await page(`?${of(me)}`))).toEqual(['mine']);
    const key = await me.makeKey({ phone: me.phone });
    expect(contactsIn(await page('', key))).toEqual(['mine']);
    expect(contactsIn(await page(`?${of(me)}`, key))).toEqual(['mine']);
  });

  test('of a number that is another’s, outside of the key or suspended is refused', async () => {
    const stranger = await moveIn(gateway);
    const key = await me.makeKey({ phone: me.phone });
    const codeOf = async (query: string, by?: string) =>
      (await ask(query, by)).headers['x-error-code'] ?? 'none';
    expect(await codeOf(`?${of(stranger)}`)).toBe('session_not_owned');
    expect(await codeOf('?session_id=15559999999%3A1%40s.whatsapp.net')).toBe('session_not_owned');
    expect(await codeOf(`?${of(stranger)}`, key)).toBe('key_restricted');
    await gateway.operate('PATCH', `/devices/${me.slotId}`, { status: 'suspended' });
    // Longer than anything is remembered.
    gateway.clock.advance(5 * SECOND);
    expect(await codeOf(`?${of(me)}`)).toBe('device_not_active');
    expect(await codeOf('', key)).toBe('device_not_active');
    // The others of the account can still be read.
    expect(await codeOf('')).toBe('none');
  });

  test('has what goes beyond the specification where that or its kind is asked for', async () => {
    const { accountId, slotId } = me;
    await log.emit([
      { accountId, slotId, key: 'plain', event: presence('plain') },
      { accountId, slotId, key: 'own', event: presence('own'), extension: 'own_messages' },
      { accountId, slotId, key: 'health', event: HEALTH_EVENT },
    ]);
    expect(contactsIn(await page(''))).toEqual(['plain']);
    expect(contactsIn(await page('?extensions=health'))).toEqual(['plain', 'health']);
    expect(contactsIn(await page('?extensions=own_messages,health'))).toEqual(['plain', 'own', 'health']);
    expect(contactsIn(await page('?kind=health'))).toEqual(['health']);
    expect(contactsIn(await page('?kind=presence'))).toEqual(['plain']);
    expect(contactsIn(await page('?kind=presence&extensions=own_messages'))).toEqual(['plain', 'own']);
  });
});

test('an entry of quarantine is listed, tried once more and dropped by the operator alone', async () => {
  const { clock, app } = gateway;
  const quarantine = createQuarantine({ store: app.store, sealedBox, clock, log: { warn: () => {} } });
  await quarantine.keep(me, message({ kind: 'text', text: 'x' }), new TypeError('no'));
  const listed = async () =>
    (await gateway.operate<QuarantineList>('GET', `/quarantine?account_id=${me.accountId}`)).entries;
  const [entry] = await listed();
  expect(entry).toMatchObject({ kind: 'message', reason: 'TypeError', phone: me.phone });
  const url = `/operator/v1/quarantine/${entry?.quarantine_id}`;
  const ask = (method: 'POST' | 'DELETE', path: string, key = OPERATOR_TOKEN) =>
    gateway.request({ method, url: path, key });
  expect((await ask('DELETE', url, me.apiKey)).statusCode).toBe(401);
  const retried = await ask('POST', `${url}/retry`);
  expect(retried.json()).toEqual({ stored: false, reason: 'the number is not linked any more' });
  expect((await ask('DELETE', url)).statusCode).toBe(204);
  expect(await listed()).toEqual([]);
  for (const gone of [await ask('DELETE', url), await ask('POST', `${url}/retry`)])
    expect([gone.statusCode, gone.headers['x-error-code']]).toEqual([404, 'quarantined_not_found']);
  const { entries } = await gateway.operate<AuditLog>('GET', '/audit?limit=2');
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual(
    ['quarantine.dropped', 'quarantine.retried'].map((action) => [action, entry?.quarantine_id]),
  );
});

let phones = 0;

/** A further number of an account. */
async function numberOf({ accountId }: Tenant): Promise<string> {
  const phone = `15559${String(++phones).padStart(6, '0')}`;
  const device = await gateway.operate<{ slot_id: string }>('POST', `/accounts/${accountId}/devices`, {
    phone,
    plan: 'max',
  });
  return device.slot_id;
}

const REFUSED = new StoreError('statement_failed', 'refused again');
const event = message({ kind: 'text', text: 'late words' });

describeOnEachDatabase('what is tried once more', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  let harness: TestHarness;
  let number: OwnedNumber;
  let published: { sessionId: string; phone: string; events: readonly NetworkEvent[] }[];

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    number = await harness.newNumber();
    published = [];
  });

  const publish: NetworkEventSink = async ({ number: { phone }, sessionId }, events) =>
    void published.push({ sessionId, phone, events });

  async function putAside({ isLinked = true } = {}): Promise<string> {
    if (isLinked) await link();
    const quarantine = createQuarantine({ ...harness, log: { warn: () => {} } });
    await quarantine.keep(number, event, new Error('the first time'));
    const [entry] = await entries();
    return entry?.quarantine_id ?? '';
  }

  const link = () =>
    harness.store.transaction((trx) =>
      trx
        .insertInto('sessions')
        .values({
          ...{ slot_id: number.slotId, account_id: number.accountId, phone: number.phone },
          ...{ session_id: SESSION, link_id: `link of ${number.slotId}`, status: 'connected', since: 0 },
          ...{ auto_reject: 0, presence_policy: 'auto', fence: 1 },
        })
        .execute(),
    );

  const entries = () => listQuarantine(harness.store, { account_id: number.accountId, limit: 10 });
  const retry = (id: string, how: NetworkEventSink = publish) =>
    retryQuarantined({ ...harness, publish: how }, id);

  /** What the operator has done with the account's entries. */
  async function recorded(): Promise<unknown[]> {
    const rows = harness.store.read
      .selectFrom('audit_log')
      .select(['action', 'subject', 'actor'])
      .where('account_id', '=', number.accountId)
      .where('action', 'like', 'quarantine.%');
    return (await rows.orderBy('number').execute()).map(({ action, subject, actor }) => [
      action,
      subject,
      actor,
    ]);
  }

  test('goes to the number that it came to, and leaves quarantine', async () => {
    const id = await putAside();
    expect(await retry(id)).toEqual({ stored: true, reason: null });
    expect(published).toEqual([{ sessionId: SESSION, phone: number.phone, events: [event] }]);
    expect(await entries()).toEqual([]);
    expect(await recorded()).toEqual([['quarantine.stored', id, 'operator']]);
    await expect(retry(id)).rejects.toMatchObject({ code: 'quarantined_not_found' });
  });

  test('stays in quarantine with the new reason when it is refused again', async () => {
    const id = await putAside();
    expect(await retry(id, () => Promise.reject(REFUSED))).toEqual({
      stored: false,
      reason: 'refused again',
    });
    expect(await entries()).toMatchObject([{ quarantine_id: id, reason: 'refused again' }]);
    expect(await recorded()).toEqual([['quarantine.retried', id, 'operator']]);
  });

  test('is neither noted nor recorded while the database is out of reach', async () => {
    const id = await putAside();
    const outage = new StoreError('unavailable', 'no database');
    await expect(retry(id, () => Promise.reject(outage))).rejects.toBe(outage);
    expect(await entries()).toMatchObject([{ quarantine_id: id, reason: 'Error' }]);
    expect(await recorded()).toEqual([]);
  });

  test('waits while its number is not linked', async () => {
    const id = await putAside({ isLinked: false });
    const reason = 'the number is not linked any more';
    expect(await retry(id)).toEqual({ stored: false, reason });
    expect(published).toEqual([]);
    expect(await entries()).toMatchObject([{ quarantine_id: id, reason }]);
  });

  test('is recorded once when two operators try it at a time', async () => {
    const id = await putAside();
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const together: NetworkEventSink = async () => {
      begun += 1;
      if (begun === 2) both.resolve();
      await both.promise;
    };
    const answers = await Promise.all([retry(id, together), retry(id, together)]);
    expect(answers).toEqual([
      { stored: true, reason: null },
      { stored: true, reason: null },
    ]);
    expect(await recorded()).toEqual([['quarantine.stored', id, 'operator']]);
  });

  test('has no connection: files are left for later, and chats keep the name that they came with', async () => {
    const id = await putAside();
    const asked: unknown[] = [];
    await retry(id, async ({ session }) => {
      asked.push(await session.chatOf(ADA));
      await expect(session.download({ kind: 'image', token: 't' }, { maxBytes: 1 })).rejects.toThrow();
      await expect(session.groups.detail('g')).rejects.toMatchObject({ kind: 'offline' });
    });
    expect(asked).toEqual([ADA]);
  });
}
