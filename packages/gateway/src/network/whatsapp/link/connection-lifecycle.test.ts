import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { ConnectionState } from '../../port.ts';
import { LinkLost } from '../vault/index.ts';
import { createConnectionLifecycle, type TerminalState } from './connection-lifecycle.ts';
import { createLoginQueue, type LoginQueue } from './login-queue.ts';

const OUT_OF_REACH = new Error('the database is out of reach');
const PAST_ANY_PAUSE_MS = 90_000;
const HOUR = 3_600_000;

/**
 * `answer` is the network's answer to each login, once the driver has handled the one before; without it there
 * is none.
 */
function setUp({
  answer,
  last,
  isAsked = false,
  logins = { enter: (begin) => void begin() },
}: {
  answer?: (login: number) => Error | undefined;
  last?: TerminalState;
  /** The network has asked for a passkey on each connection. */
  isAsked?: boolean;
  logins?: LoginQueue;
} = {}) {
  const clock = createSteppedClock();
  const open = new Set<EventEmitter>();
  const states: ConnectionState[] = [];
  const words: TerminalState[] = [];
  let made = 0;
  const lifecycle = createConnectionLifecycle({
    clock,
    random: createSeededRandom(1),
    log: { debug() {}, warn() {} },
    logins,
    linkId: 'link',
    onState: (state) => states.push(state),
    onOpen() {},
    onLastWord: (word) => words.push(word),
    sessionId: () => 'me',
    handlePasskey: () => ({ isUnderWay: isAsked, answerPasskey() {}, confirm() {}, stop() {} }),
    openSocket() {
      const ev = new EventEmitter();
      made += 1;
      open.add(ev);
      const error = answer?.(made);
      if (error) {
        clock.after(50, () =>
          ev.emit('connection.update', { connection: 'close', lastDisconnect: { error } }),
        );
      }
      // The parts of a socket that are used here.
      return { ev, end: async () => void open.delete(ev) } as unknown as WASocket;
    },
  });
  lifecycle.start(last);
  const latest = (): EventEmitter => [...open].at(-1) ?? new EventEmitter();
  return { lifecycle, clock, open, states, words, latest, made: () => made };
}

/** An error of the library. */
function boom(statusCode: number, data: unknown): Error {
  return Object.assign(new Error('closed'), { data, output: { statusCode } });
}

/** The library's error for a login that the network has answered with `<failure>`. */
function failure(code: number, attrs: Record<string, string> = {}): Error {
  return boom(code, { reason: String(code), ...attrs });
}

/** The library's error for `<stream:error>`. */
function streamError(code: number, child?: { tag: string; attrs: Record<string, string> }): Error {
  const node = { tag: 'stream:error', attrs: { code: String(code) } };
  return boom(code, child ?? node);
}

describe('the connection lifecycle', () => {
  test('keeps the reason when a connection is lost on which a passkey was asked for, and not when it is refused', () => {
    const answers = [boom(428, undefined), failure(403)];
    const { lifecycle, clock } = setUp({ isAsked: true, answer: (login) => answers[login - 1] });
    clock.advance(100);
    expect(lifecycle.state).toMatchObject({ kind: 'reconnecting', reason: 'passkey_required' });
    clock.advance(PAST_ANY_PAUSE_MS);
    expect(lifecycle.state).toMatchObject({ kind: 'ended', cause: 'locked' });
    const unasked = setUp({ answer: (login) => answers[login - 1] });
    unasked.clock.advance(100);
    expect(unasked.lifecycle.state).toMatchObject({ reason: 'connection_lost' });
  });

  test('has one socket at a time, for any number of errors about the last one', () => {
    const { lifecycle, clock, open, made } = setUp();
    for (const complaint of [OUT_OF_REACH, OUT_OF_REACH, OUT_OF_REACH]) lifecycle.broken(complaint);
    expect(open.size).toBe(0);
    clock.advance(PAST_ANY_PAUSE_MS);
    expect([open.size, made()]).toEqual([1, 2]);
  });

  test('waits for its turn among many logins, and leaves the queue when it is closed or its link is lost', () => {
    const clock = createSteppedClock();
    const logins = createLoginQueue({ clock, isBusy: () => false });
    const all = Array.from({ length: 12 }, () => setUp({ logins }));
    const opened = () => all.filter(({ made }) => made() > 0).length;
    expect(opened()).toBe(8);
    void all[8]?.lifecycle.close();
    all[9]?.lifecycle.broken(new LinkLost('taken_over'));
    all[10]?.lifecycle.broken(OUT_OF_REACH);
    clock.advance(1_000);
    expect(all.slice(8).map(({ made }) => made())).toEqual([0, 0, 1, 1]);
  });

  test('closes the socket that is being opened after an error, and opens another', () => {
    const { lifecycle, clock, open, made } = setUp();
    lifecycle.broken(OUT_OF_REACH);
    clock.advance(PAST_ANY_PAUSE_MS);
    lifecycle.broken(OUT_OF_REACH);
    expect(open.size).toBe(0);
    clock.advance(PAST_ANY_PAUSE_MS);
    expect([open.size, made()]).toEqual([1, 3]);
  });

  test('ends when the link is lost, also during the pause before the next socket', () => {
    const { lifecycle, clock, open } = setUp();
    lifecycle.broken(OUT_OF_REACH);
    lifecycle.broken(new LinkLost('taken_over'));
    clock.advance(PAST_ANY_PAUSE_MS);
    expect(open.size).toBe(0);
    expect(lifecycle.state).toMatchObject({ kind: 'ended', cause: 'replaced' });
  });
});

describe('logins in 24 hours, when the network answers every one of them with', () => {
  const perDay = (error: Error) => {
    const life = setUp({ answer: () => error });
    life.clock.advance(24 * HOUR);
    return life;
  };

  test.each([
    ['401, unlinked', failure(401), 1, { kind: 'ended', cause: 'logged_out' }],
    ['403, locked', failure(403), 1, { kind: 'ended', cause: 'locked' }],
    ['406, banned', failure(406), 1, { kind: 'ended', cause: 'banned' }],
    ['411, a phone without linked devices', failure(411), 1, { kind: 'ended', cause: 'logged_out' }],
    ['stream error 401', streamError(401), 1, { kind: 'ended', cause: 'logged_out' }],
    ['stream error 516', streamError(516), 1, { kind: 'ended', cause: 'logged_out' }],
    ['stream error 440', streamError(440), 1, { kind: 'ended', cause: 'replaced' }],
    [
      'a conflict without a code of its own',
      streamError(500, { tag: 'conflict', attrs: { type: 'replaced' } }),
      1,
      { kind: 'ended', cause: 'replaced' },
    ],
    [
      '402 for eight hours',
      failure(402, { code: '101', expire: '28800' }),
      3,
      { kind: 'refused', reason: 'temporarily_banned' },
    ],
    [
      '402 without an end',
      failure(402, { code: '104' }),
      6,
      { kind: 'refused', reason: 'temporarily_banned' },
    ],
    ['405, client outdated', failure(405), 6, { kind: 'refused', reason: 'client_outdated' }],
    ['409, client refused', failure(409), 6, { kind: 'refused', reason: 'client_refused' }],
    ['418, an unknown code', failure(418), 16, { kind: 'refused', reason: 'login_refused' }],
    // Every two minutes at most, as the web client does.
    ['503', failure(503), 1_030, { kind: 'reconnecting', reason: 'network_unavailable' }],
    ['stream error 503', streamError(503), 1_030, { kind: 'reconnecting', reason: 'network_unavailable' }],
    ['515 again and again', streamError(515), 1_030, { kind: 'reconnecting', reason: 'network_unavailable' }],
  ])('%s, are at most that many', (_what, error, most, end) => {
    const { made, states } = perDay(error);
    expect(made()).toBeLessThanOrEqual(most);
    expect(states.at(-1)).toMatchObject(end);
  });
});

describe('a temporary ban', () => {
  const ban = (code: string) => failure(402, { code, expire: '3600' });

  test('has a plain reason and an end, and the number reconnects soon after', () => {
    const { clock, states, made, latest } = setUp({
      answer: (login) => (login === 1 ? ban('102') : undefined),
    });
    const start = clock.now();
    clock.advance(100);
    const state = states.at(-1);
    expect(state).toMatchObject({
      kind: 'refused',
      reason: 'temporarily_banned',
      detail: 'The network has banned this number for a time: too many people have blocked it.',
      until: start + 50 + HOUR,
      code: 102,
    });
    clock.advance(HOUR - 100);
    expect(made()).toBe(1);
    clock.advance(60_000);
    expect(made()).toBe(2);
    latest().emit('connection.update', { connection: 'open' });
    expect(states.at(-1)).toMatchObject({ kind: 'connected' });
  });

  test.each([
    ['101', 'address books'],
    ['102', 'blocked'],
    ['103', 'groups'],
    ['104', 'the same message'],
    ['106', 'broadcast list'],
    ['199', 'terms'],
  ])('with code %s has the reason: %s', (code, words) => {
    const { clock, states } = setUp({ answer: () => ban(code) });
    clock.advance(100);
    expect(states.at(-1)).toMatchObject({ detail: expect.stringContaining(words) });
  });

  test('is stored, and the next host of the link waits for its end, even on demand', () => {
    const first = setUp({ answer: () => ban('101') });
    first.clock.advance(100);
    const [word] = first.words;
    const next = setUp(word ? { last: word } : {});
    expect(next.states).toEqual([first.states.at(-1)]);
    next.lifecycle.reconnect();
    next.clock.advance(HOUR);
    expect(next.made()).toBe(0);
    next.clock.advance(60_000);
    expect(next.made()).toBe(1);
  });

  test.each(['', '-5', '1e400', 'soon'])('with an invalid end (%s) is waited for without one', (expire) => {
    const { clock, states, made } = setUp({ answer: () => failure(402, { code: '101', expire }) });
    clock.advance(HOUR / 2);
    expect(states.at(-1)).toMatchObject({ kind: 'refused' });
    expect(states.at(-1)).not.toHaveProperty('until');
    expect(made()).toBe(1);
  });
});

describe('a stored terminal state', () => {
  test('ends the link for its next host, without a login', () => {
    const first = setUp({ answer: () => failure(403) });
    first.clock.advance(100);
    const [word] = first.words;
    const next = setUp(word ? { last: word } : {});
    next.clock.advance(24 * HOUR);
    expect(next.made()).toBe(0);
    expect(next.states).toMatchObject([{ kind: 'ended', cause: 'locked' }]);
  });

  test('continues the backoff of the previous life', () => {
    const last: TerminalState = {
      kind: 'refused',
      reason: 'client_refused',
      detail: '.',
      retryAt: 0,
      times: 4,
    };
    const { clock, made } = setUp({ answer: () => failure(409), last });
    clock.advance(9 * HOUR);
    expect(made()).toBe(1);
  });
});

describe('a refused client', () => {
  test('retries once as soon as its version changes', () => {
    const { lifecycle, clock, made } = setUp({ answer: () => failure(405) });
    clock.advance(100);
    lifecycle.clientChanged();
    clock.advance(2_000);
    expect(made()).toBe(2);
    clock.advance(HOUR);
    expect(made()).toBe(2);
  });

  test('does not retry when the number is refused', () => {
    const { lifecycle, clock, made } = setUp({ answer: () => failure(402, { expire: '3600' }) });
    clock.advance(100);
    lifecycle.clientChanged();
    clock.advance(2_000);
    expect(made()).toBe(1);
  });
});

describe('a new connection that the network asks for', () => {
  test('is made at once', () => {
    const { clock, made, states } = setUp({
      answer: (login) => (login === 1 ? streamError(515) : undefined),
    });
    clock.advance(50);
    expect(made()).toBe(2);
    expect(states.at(-1)).toEqual({ kind: 'connecting' });
  });
});

describe('a web server in between', () => {
  test.each([401, 403, 405, 406])('that answers %s does not affect the number', (code) => {
    const inner = new Error(`Unexpected server response: ${code}`);
    const error = boom(code, inner);
    const { clock, states } = setUp({ answer: () => error });
    clock.advance(100);
    expect(states.at(-1)).toMatchObject({ kind: 'reconnecting', reason: 'connection_lost' });
  });
});
