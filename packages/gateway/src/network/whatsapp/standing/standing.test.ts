import { type BinaryNode, getBinaryNodeChild } from 'baileys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { textOf } from '../link/queries.ts';
import { startWireHarness, type WireHarness } from '../testing/fixture.ts';
import { ADA, connected, link, ME, type Opened } from '../testing/people.ts';

const DAY_MS = 86_400_000;
const LOCK_QUERY = '23983697327930364';
const CAP_QUERY = '24503548349331633';

let harness: WireHarness;
let me: Opened;
let fence = 0;

beforeAll(async () => {
  harness = await startWireHarness();
  harness.world.phones.create(ME, { name: 'Parley' });
  harness.world.phones.create(ADA, { name: 'Ada' });
  await link(harness);
  // The first connection is about what the phone has to tell.
  const first = await connected(harness, fence);
  await vi.waitFor(() => expect(harness.heard.filter(isLastOfIntroduction)).not.toEqual([]));
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
  harness.heard.filter((stanza) => getBinaryNodeChild(stanza, 'query')?.attrs.query_id === query);

describe('how a number stands', () => {
  it('is asked once a day', async () => {
    const before = asked(LOCK_QUERY).length;
    await harness.advance(1.2 * DAY_MS);
    await vi.waitFor(() => expect(asked(LOCK_QUERY).length).toBe(before + 1));
    await harness.advance(0.5 * DAY_MS);
    expect(asked(LOCK_QUERY).length).toBe(before + 1);
  });

  it('is asked by the other word where the network does not know the first', async () => {
    await me.session.close();
    harness.world.standing.cap(ME, { quota: 20, used: 3, cycleSeconds: 3_600 });
    const words: string[] = [];
    harness.intercept((stanza) => {
      const query = getBinaryNodeChild(stanza, 'query');
      if (query?.attrs.query_id !== CAP_QUERY) return undefined;
      words.push(JSON.parse(textOf(query) ?? '').variables.input.type);
      return words.length === 1 ? refusedQuery(stanza) : undefined;
    });
    fence += 1;
    me = await connected(harness, fence);
    await vi.waitFor(() =>
      expect(me.standing).toContainEqual(
        expect.objectContaining({ kind: 'new_chat_cap', quota: 20, used: 3 }),
      ),
    );
    await vi.waitFor(() => expect(words).toEqual(['INDIVIDUAL_NEW_CHAT_MSG', 'INDIVIDUAL_NEW_CHAT_THREAD']));
  });

  it('is asked of a network that knows neither word without being held against anybody', async () => {
    await me.session.close();
    harness.intercept((stanza) => (stanza.attrs.xmlns === 'w:mex' ? refusedQuery(stanza) : undefined));
    fence += 1;
    me = await connected(harness, fence);
    await me.session.probe();
    expect(me.standing).toEqual([]);
  });
});

describe('a kind of question that the network has enough of', () => {
  const questions = (): number => harness.heard.filter(({ attrs }) => attrs.xmlns === 'usync').length;

  it('is not asked for a while, and for longer after the second refusal', async () => {
    const lookUp = (): Promise<unknown> => me.session.contacts.lookUp([ME]).catch(() => undefined);
    const told = (): number => me.standing.filter(({ kind }) => kind === 'rate_overlimit').length;
    harness.world.standing.limit(ME, 'users', 3_600);
    const before = questions();
    await Promise.all([lookUp(), lookUp()]);
    const first = questions() - before;
    await lookUp();
    expect(questions() - before).toBe(first);
    expect(told()).toBe(first);
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

describe('a connection that is deaf', () => {
  const BEAT_MS = 720_000;
  const PATIENCE_MS = 20_000;
  const told = (): number => me.standing.filter(({ kind }) => kind === 'deaf').length;
  const timesConnected = (): number => me.states.filter(({ kind }) => kind === 'connected').length;
  const isMadeAnew = (): Promise<void> =>
    vi.waitFor(() => {
      expect(told()).toBe(1);
      expect(timesConnected()).toBe(2);
      expect(me.session.state.kind).toBe('connected');
    });

  /** In steps that let what fell due cross the wire. */
  const outwait = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) await harness.advance(PATIENCE_MS);
  };

  it('is found by the beat when the network swallows everything after the login', async () => {
    await me.session.probe();
    harness.world.faults.arm(sessionId(), { kind: 'deaf', count: 1, ms: 0 });
    await harness.advance(BEAT_MS);
    await vi.waitFor(async () => {
      await harness.advance(BEAT_MS);
      await outwait(3);
      expect(told()).toBe(1);
    });
    await isMadeAnew();
  });

  it('is found by the beat although pings are answered', async () => {
    await me.session.probe();
    harness.world.faults.arm(sessionId(), { kind: 'disconnect', count: 1, ms: 0 });
    await vi.waitFor(() => expect(timesConnected()).toBe(2));
    await me.session.probe();
    harness.intercept(({ attrs }) => (attrs.xmlns === 'usync' ? SILENCE : undefined));
    await harness.advance(BEAT_MS);
    // Something that the network said before may have passed for a sign of life at a beat or two.
    await vi.waitFor(async () => {
      await harness.advance(BEAT_MS);
      await outwait(3);
      await me.session.probe().catch(() => undefined);
      expect(told()).toBe(1);
    });
  });

  it('is no connection on which the network refuses the question', async () => {
    const questions = (): number => harness.heard.filter(({ attrs }) => attrs.xmlns === 'usync').length;
    const before = questions();
    harness.world.standing.limit(ME, 'users', 86_400);
    await vi.waitFor(async () => {
      await harness.advance(BEAT_MS);
      // Its answer comes after that to the question.
      await me.session.probe();
      expect(questions()).toBeGreaterThan(before);
    });
    await outwait(3);
    expect([told(), timesConnected()]).toEqual([0, 1]);
  });

  it('is found when messages stay unacknowledged one after the other', async () => {
    const send = (n: number): Promise<void> =>
      me.session.send({
        messageId: `3EB0DEAF${n}`,
        to: `${ADA}@s.whatsapp.net`,
        content: { kind: 'text', text: 'anybody?' },
      });
    await send(0);
    harness.world.faults.arm(sessionId(), { kind: 'no_ack', count: 3, ms: 0 });
    for (let n = 1; n <= 3; n++) {
      expect(told()).toBe(0);
      const failed = expect(send(n)).rejects.toMatchObject({ unanswered: true });
      await vi.waitFor(() => expect(harness.world.messages.find(ADA, `3EB0DEAF${n}`)).toBeDefined());
      await outwait(1);
      await failed;
    }
    await isMadeAnew();
  });

  it('is told when the network ends it because it waits for an acknowledgement', async () => {
    await me.session.probe();
    harness.wire.say(sessionId(), {
      tag: 'stream:error',
      attrs: {},
      content: [{ tag: 'ack', attrs: { class: 'message', id: '3EB0' } }],
    });
    await vi.waitFor(() => expect(told()).toBe(1));
    await vi.waitFor(async () => {
      await harness.advance(2_000);
      expect(timesConnected()).toBe(2);
    });
  });
});

function isLastOfIntroduction({ tag, attrs }: BinaryNode): boolean {
  return tag === 'receipt' && attrs.id === 'INTRODUCTION-names' && attrs.type === 'hist_sync';
}

/** Takes a stanza away: what comes instead looks like the answer to a ping of the library. */
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
