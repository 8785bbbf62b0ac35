import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import { LinkLost } from '../vault/index.ts';
import { createConnectionLifecycle } from './connection-lifecycle.ts';

const OUT_OF_REACH = new Error('the database is out of reach');
const PAST_ANY_PAUSE_MS = 90_000;

function setUp() {
  const clock = createSteppedClock();
  const open = new Set<EventEmitter>();
  let made = 0;
  const lifecycle = createConnectionLifecycle({
    clock,
    random: createSeededRandom(1),
    log: { debug() {}, warn() {} },
    linkId: 'link',
    onState() {},
    onOpen() {},
    sessionId: () => 'me',
    openSocket() {
      const ev = new EventEmitter();
      made += 1;
      open.add(ev);
      // Of a socket, nothing else is used here.
      return { ev, end: async () => void open.delete(ev) } as unknown as WASocket;
    },
  });
  lifecycle.start();
  return { lifecycle, clock, open, made: () => made };
}

describe('the life of a connection', () => {
  test('has one socket at a time, however many complain about the last one', () => {
    const { lifecycle, clock, open, made } = setUp();
    for (const complaint of [OUT_OF_REACH, OUT_OF_REACH, OUT_OF_REACH]) lifecycle.broken(complaint);
    expect(open.size).toBe(0);
    clock.advance(PAST_ANY_PAUSE_MS);
    expect([open.size, made()]).toEqual([1, 2]);
  });

  test('closes the socket that is being opened when there is a complaint, and opens another', () => {
    const { lifecycle, clock, open, made } = setUp();
    lifecycle.broken(OUT_OF_REACH);
    clock.advance(PAST_ANY_PAUSE_MS);
    lifecycle.broken(OUT_OF_REACH);
    expect(open.size).toBe(0);
    clock.advance(PAST_ANY_PAUSE_MS);
    expect([open.size, made()]).toEqual([1, 3]);
  });

  test('is over when the link is lost, also while the next socket is waited for', () => {
    const { lifecycle, clock, open } = setUp();
    lifecycle.broken(OUT_OF_REACH);
    lifecycle.broken(new LinkLost('taken_over'));
    clock.advance(PAST_ANY_PAUSE_MS);
    expect(open.size).toBe(0);
    expect(lifecycle.state).toEqual({ kind: 'ended', cause: 'replaced' });
  });
});
