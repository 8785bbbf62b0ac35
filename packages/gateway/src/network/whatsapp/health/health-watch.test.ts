import { type BinaryNode, getBinaryNodeChild } from 'baileys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { NetworkError } from '../../errors.ts';
import { textOf } from '../link/queries.ts';
import { startWireHarness, type WireHarness } from '../testing/fixture.ts';
import { ADA, connected, link, ME, type Opened } from '../testing/people.ts';
import { readCap, readLock, readNotification } from './health-watch.ts';

const DAY_MS = 86_400_000;
const LOCK_QUERY = '23983697327930364';
const CAP_QUERY = '27910975521856601';

let harness: WireHarness;
let me: Opened;
let fence = 0;

beforeAll(async () => {
  harness = await startWireHarness();
  harness.world.phones.create(ME, { name: 'Parley' });
  harness.world.phones.create(ADA, { name: 'Ada' });
  await link(harness);
  // The first connection receives the phone's history and state.
  const first = await connected(harness, fence);
  await vi.waitFor(() => expect(harness.received.filter(isLastOfIntroduction)).not.toEqual([]));
  await first.session.close();
});
afterAll(() => harness.dispose());

beforeEach(async () => {
  fence += 1;
  me = await connected(harness, fence);
  await vi.waitFor(() => expect(me.standing).toContainEqual({ kind: 'reachout_lock', active: false }));
});
afterEach(async () => {
  harness.intercept(() => undefined);
  harness.world.standing.limit(ME, 'users', 0);
  await me.session.close();
});

const sessionId = (): string => harness.world.devices.of(ME)[0]?.sessionId ?? '';

const asked = (query: string): BinaryNode[] =>
  harness.received.filter((stanza) => getBinaryNodeChild(stanza, 'query')?.attrs.query_id === query);

describe('the health query of a number', () => {
  it('runs once a day', async () => {
    const before = asked(LOCK_QUERY).length;
    await harness.advance(1.2 * DAY_MS);
    await vi.waitFor(() => expect(asked(LOCK_QUERY).length).toBe(before + 1));
    await harness.advance(0.5 * DAY_MS);
    expect(asked(LOCK_QUERY).length).toBe(before + 1);
  });

  it('reports the cap, which the network knows under the name that web clients use', async () => {
    await me.session.close();
    harness.world.standing.cap(ME, { quota: 20, used: 3, cycleSeconds: 3_600 });
    fence += 1;
    me = await connected(harness, fence);
    await vi.waitFor(() =>
      expect(me.standing).toContainEqual(
        expect.objectContaining({ kind: 'new_chat_cap', quota: 20, used: 3 }),
      ),
    );
    const [query] = asked(CAP_QUERY);
    expect(JSON.parse(textOf(query && getBinaryNodeChild(query, 'query')) ?? '').variables).toEqual({
      input: { type: 'INDIVIDUAL_NEW_CHAT_THREAD' },
    });
  });

  it('has no effect on the health when the network refuses it', async () => {
    await me.session.close();
    harness.intercept((stanza) => (stanza.attrs.xmlns === 'w:mex' ? refusedQuery(stanza) : undefined));
    fence += 1;
    me = await connected(harness, fence);
    await me.session.probe();
    expect(me.standing).toEqual([]);
  });
});

describe('a kind of query that the network rate-limits', () => {
  /** Number checks alone: the session also asks for its own devices. */
  const questions = (): number =>
    harness.received.filter((stanza) =>
      getBinaryNodeChild(getBinaryNodeChild(getBinaryNodeChild(stanza, 'usync'), 'query'), 'contact'),
    ).length;

  it('is paused for a while, and for longer after the second refusal', async () => {
    let number = 15_560_000_000;
    // Another number each time: an answered check is not asked again.
    const lookUp = (): Promise<unknown> =>
      me.session.contacts
        .lookUp([String(number++)])
        .catch((error) => expect(error).toBeInstanceOf(NetworkError));
    const reports = (): number => me.standing.filter(({ kind }) => kind === 'rate_overlimit').length;
    // An answer that comes after others: no earlier query is still open.
    await me.session.probe();
    harness.world.standing.limit(ME, 'users', 3_600);
    // With those for the own devices, which are refused too.
    const queries = (): number =>
      harness.received.filter((stanza) => getBinaryNodeChild(stanza, 'usync')).length;
    const [before, queriesBefore] = [questions(), queries()];
    await Promise.all([lookUp(), lookUp()]);
    const first = questions() - before;
    await lookUp();
    expect(questions() - before).toBe(first);
    await vi.waitFor(() => expect(reports()).toBe(queries() - queriesBefore));
    await harness.advance(30_000);
    await lookUp();
    expect(questions() - before).toBe(first + 1);
    await harness.advance(13_000);
    await lookUp();
    expect(questions() - before).toBe(first + 1);
    harness.world.standing.limit(ME, 'users', 0);
    await harness.advance(600_000);
    await lookUp();
    await lookUp();
    expect(questions() - before).toBe(first + 3);
  });
});

describe('an unresponsive connection', () => {
  const BEAT_MS = 720_000;
  const PATIENCE_MS = 20_000;
  const reports = (): number => me.standing.filter(({ kind }) => kind === 'deaf').length;
  const timesConnected = (): number => me.states.filter(({ kind }) => kind === 'connected').length;
  const isMadeAnew = (): Promise<void> =>
    vi.waitFor(() => {
      expect(reports()).toBe(1);
      expect(timesConnected()).toBe(2);
      expect(me.session.state.kind).toBe('connected');
    });

  /** Advances in steps, so that due work can cross the wire. */
  const outwait = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) await harness.advance(PATIENCE_MS);
  };

  it('is detected by the liveness check when the network swallows everything after the login', async () => {
    await me.session.probe();
    harness.world.faults.arm(sessionId(), { kind: 'deaf', count: 1, ms: 0 });
    await harness.advance(BEAT_MS);
    await vi.waitFor(async () => {
      await harness.advance(BEAT_MS);
      await outwait(3);
      expect(reports()).toBe(1);
    });
    await isMadeAnew();
  });

  it('is detected by the liveness check although pings are answered', async () => {
    await me.session.probe();
    harness.world.faults.arm(sessionId(), { kind: 'disconnect', count: 1, ms: 0 });
    await vi.waitFor(() => expect(timesConnected()).toBe(2));
    await me.session.probe();
    harness.intercept(({ attrs }) => (attrs.xmlns === 'usync' ? SILENCE : undefined));
    await harness.advance(BEAT_MS);
    // An earlier stanza of the network may count as activity for a check or two.
    await vi.waitFor(async () => {
      await harness.advance(BEAT_MS);
      await outwait(3);
      await me.session.probe().catch(() => undefined);
      expect(reports()).toBe(1);
    });
  });

  it('is not assumed when the network refuses the query', async () => {
    const questions = (): number => harness.received.filter(({ attrs }) => attrs.xmlns === 'usync').length;
    const before = questions();
    harness.world.standing.limit(ME, 'users', 86_400);
    await vi.waitFor(async () => {
      await harness.advance(BEAT_MS);
      // Its answer comes after that to the query.
      await me.session.probe();
      expect(questions()).toBeGreaterThan(before);
    });
    await outwait(3);
    expect([reports(), timesConnected()]).toEqual([0, 1]);
  });

  it('is detected when messages stay unacknowledged one after the other', async () => {
    const send = (n: number): Promise<void> =>
      me.session.send({
        messageId: `3EB0DEAD${n}`,
        to: `${ADA}@s.whatsapp.net`,
        content: { kind: 'text', text: 'hello?' },
      });
    await send(0);
    harness.world.faults.arm(sessionId(), { kind: 'no_ack', count: 3, ms: 0 });
    for (let n = 1; n <= 3; n++) {
      expect(reports()).toBe(0);
      const failed = expect(send(n)).rejects.toMatchObject({ unanswered: true });
      await vi.waitFor(() => expect(harness.world.messages.find(ADA, `3EB0DEAD${n}`)).toBeDefined());
      await outwait(1);
      await failed;
    }
    await isMadeAnew();
  });

  it('is reported when the network closes it because it waits for an acknowledgement', async () => {
    await me.session.probe();
    harness.wire.say(sessionId(), {
      tag: 'stream:error',
      attrs: {},
      content: [{ tag: 'ack', attrs: { class: 'message', id: '3EB0' } }],
    });
    await vi.waitFor(() => expect(reports()).toBe(1));
    await vi.waitFor(async () => {
      await harness.advance(2_000);
      expect(timesConnected()).toBe(2);
    });
  });
});

function isLastOfIntroduction({ tag, attrs }: BinaryNode): boolean {
  return tag === 'receipt' && attrs.id === 'INTRODUCTION-names' && attrs.type === 'hist_sync';
}

/** Replaces a stanza by what looks like the answer to a ping of the library. */
const SILENCE: BinaryNode = { tag: 'iq', attrs: { id: 'ping', type: 'result', from: '@s.whatsapp.net' } };

function refusedQuery({ attrs }: BinaryNode): BinaryNode {
  const errors = [{ message: 'bad request', extensions: { error_code: 400 } }];
  const content = Buffer.from(JSON.stringify({ data: null, errors }));
  return {
    tag: 'iq',
    attrs: { id: attrs.id ?? '', type: 'result', from: '@s.whatsapp.net' },
    content: [{ tag: 'result', attrs: {}, content }],
  };
}

const NOW = 1_784_365_200_000;

function notification(json: string) {
  const update = { tag: 'update', attrs: { op_name: 'Anything' }, content: Buffer.from(json) };
  return { tag: 'notification', attrs: { type: 'mex' }, content: [update] };
}

test('a restriction keeps the network’s name for it, and lasts a minute when no end is given', () => {
  const said = { is_active: true, enforcement_type: 'RESTRICT_ALL_COMPANIONS' };
  expect(readLock({ ...said, time_enforcement_ends: '1784368800' }, NOW)).toEqual({
    kind: 'reachout_lock',
    active: true,
    type: 'RESTRICT_ALL_COMPANIONS',
    endsAt: 1_784_368_800_000,
  });
  expect(readLock(said, NOW)?.endsAt).toBe(NOW + 60_000);
  expect(readLock({ ...said, time_enforcement_ends: '0' }, NOW)?.endsAt).toBe(NOW + 60_000);
  expect(readLock({ is_active: false, enforcement_type: 'DEFAULT' }, NOW)).toEqual({
    kind: 'reachout_lock',
    active: false,
  });
});

test.each([undefined, null, {}, { is_active: 'yes' }, 'locked'])('%j contains no restriction', (said) => {
  expect(readLock(said, NOW)).toBeUndefined();
});

test('reads a cap from numbers and from text', () => {
  const cap = {
    kind: 'new_chat_cap',
    quota: 50,
    used: 45,
    cycleEndsAt: 1_784_368_800_000,
    warning: 'second',
  };
  const times = { cycle_end_timestamp: '1784368800', capping_status: 'SECOND_WARNING' };
  expect(readCap({ total_quota: 50, used_quota: 45, ...times })).toEqual(cap);
  expect(readCap({ total_quota: '50', used_quota: '45', ...times })).toEqual(cap);
  expect(readCap({ total_quota: 50, used_quota: 0, capping_status: 'A_NEW_ONE' })).toEqual({
    kind: 'new_chat_cap',
    quota: 50,
    used: 0,
    warning: 'none',
  });
  expect([readCap({}), readCap(null), readCap({ total_quota: -1, used_quota: 0 })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('ignores notifications about other things, and invalid JSON', () => {
  expect(readNotification(notification('{"data":{"xwa2_notify_lid_change":{}}}'), NOW)).toBeUndefined();
  expect(readNotification(notification('not json'), NOW)).toBeUndefined();
  expect(readNotification({ tag: 'notification', attrs: {} }, NOW)).toBeUndefined();
});
