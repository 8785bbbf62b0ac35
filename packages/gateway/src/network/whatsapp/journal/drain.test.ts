import { describe, expect, test, vi } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { LinkLost } from '../vault/index.ts';
import type { Arrived } from './arrived.ts';
import { createHandover } from './drain.ts';

const event = (id: string): NetworkEvent => ({
  kind: 'receipt',
  id,
  timestamp: 1,
  messageId: id,
  recipient: 'x',
  type: 'read',
});
const typing = (id: string): NetworkEvent => ({
  kind: 'typing',
  id,
  timestamp: 1,
  chat: 'x',
  sender: 'x',
  isGroup: false,
  typing: true,
  media: 'text',
});
const arrival = (id: string) => ({
  digest: id,
  eventKey: null,
  seq: 1,
  value: { kind: 'event', event: event(id) } satisfies Arrived,
});
const silent = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: {}, plaintext: Buffer.alloc(0) } satisfies Arrived,
});

const senseless = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: { type: 'nonsense' }, plaintext: Buffer.alloc(0) } satisfies Arrived,
});

type Entry = ReturnType<typeof arrival | typeof silent | typeof senseless>;

/** A journal of which nothing is left when it has been taken. */
function stage(left: Entry[] = []) {
  const clock = createSteppedClock();
  const journal = new Map(left.map((entry) => [entry.digest, entry]));
  const offered: string[][] = [];
  const undigested: Arrived[] = [];
  let refuse = false;
  let outage: Error | undefined;
  const handover = createHandover({
    clock,
    random: createSeededRandom(1),
    vault: {
      async commit({ taken = [] }) {
        if (outage) throw outage;
        for (const digest of taken) journal.delete(digest);
      },
      async waitingArrivals(limit) {
        if (outage) throw outage;
        return [...journal.values()].slice(0, limit);
      },
    },
    log: { warn() {} },
    async toEvents(arrived) {
      if (arrived.kind === 'message' && arrived.attrs.type === 'nonsense') throw new TypeError('no sense');
      return arrived.kind === 'event' ? [arrived.event] : [];
    },
    async onEvents(events) {
      offered.push(events.map(({ id }) => id));
      if (refuse) throw new Error('not now');
    },
    onUndigested: (arrived) => undigested.push(arrived),
  });
  const arrive = (...entries: Entry[]): void => {
    for (const entry of entries) journal.set(entry.digest, entry);
    handover.arrived(entries);
  };
  return {
    clock,
    journal,
    offered,
    undigested,
    handover,
    arrive,
    refuse(value: boolean) {
      refuse = value;
    },
    /** From now on the database fails in this way; with nothing it works again. */
    fail(error?: Error) {
      outage = error;
    },
  };
}

const settle = (): Promise<unknown> => new Promise(setImmediate);

describe('handing over', () => {
  test('what the last run left comes first, then what arrives, each once', async () => {
    const { handover, offered, journal, arrive } = stage([arrival('a'), arrival('b')]);
    handover.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    arrive(arrival('c'));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(['a', 'b', 'c']);
    await handover.stop();
  });

  test('what arrives while the journal is being read is not forgotten', async () => {
    const { handover, offered, arrive } = stage([arrival('a')]);
    handover.start();
    arrive(arrival('b'), arrival('c'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b', 'c']));
    await handover.stop();
  });

  test('what makes no sense holds up nothing that stands behind it', async () => {
    const { handover, offered, arrive } = stage([arrival('a'), senseless('b'), arrival('c')]);
    handover.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c']));
    arrive(senseless('d'), arrival('e'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c', 'e']));
    await handover.stop();
  });

  test('a refused call is repeated after a pause, without what was passing', async () => {
    const { handover, offered, journal, clock, arrive, refuse } = stage();
    handover.start();
    refuse(true);
    arrive(arrival('a'));
    handover.passing(typing('t'));
    await vi.waitFor(() => expect(offered).toEqual([['a', 't']]));
    expect(journal.size).toBe(1);
    refuse(false);
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(offered).toEqual([['a', 't'], ['a']]);
    });
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await handover.stop();
  });

  test('a flood waits in the journal, not in memory, and loses nothing', async () => {
    const { handover, offered, journal, arrive } = stage();
    handover.start();
    const ids = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
    for (const id of ids) arrive(arrival(id));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(ids);
    expect(Math.max(...offered.map((batch) => batch.length))).toBeLessThanOrEqual(64);
    await handover.stop();
  });

  test('what makes no event stays a while, and is handed back after a crash', async () => {
    const { handover, journal, clock, undigested, offered, arrive } = stage([silent('left')]);
    handover.start();
    await vi.waitFor(() => expect(undigested).toHaveLength(1));
    arrive(silent('new'), arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    expect([...journal.keys()]).toEqual(['left', 'new']);
    expect(undigested).toHaveLength(1);
    clock.advance(31_000);
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await handover.stop();
  });

  test('goes on when the database could not be read at first', async () => {
    const { handover, offered, journal, clock, fail } = stage([arrival('a')]);
    fail(new Error('out of reach'));
    handover.start();
    await settle();
    fail();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(journal.size).toBe(0);
    });
    expect(offered).toEqual([['a']]);
    await handover.stop();
  });

  test('offers again what it could not strike off, and what comes afterwards', async () => {
    const { handover, offered, journal, clock, arrive, fail } = stage();
    handover.start();
    await settle();
    fail(new Error('out of reach'));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    await settle();
    arrive(arrival('b'));
    fail();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(journal.size).toBe(0);
    });
    expect(offered.flat()).toEqual(['a', 'a', 'b']);
    await handover.stop();
  });

  test('finds what lies in the journal and nobody told of, when asked to look again', async () => {
    const { handover, offered, journal } = stage();
    handover.start();
    await settle();
    journal.set('quiet', arrival('quiet'));
    handover.lookAgain();
    await vi.waitFor(() => expect(offered).toEqual([['quiet']]));
    await handover.stop();
  });

  test('leaves everything to the next owner when the link is lost', async () => {
    const { handover, offered, clock, journal, arrive, fail } = stage();
    handover.start();
    await settle();
    fail(new LinkLost('taken_over'));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    await settle();
    fail();
    clock.advance(60_000);
    await settle();
    expect([offered.length, journal.size]).toEqual([1, 1]);
    await handover.stop();
  });

  test('nobody is called after it has stopped', async () => {
    const { handover, offered, arrive } = stage();
    handover.start();
    await handover.stop();
    arrive(arrival('late'));
    await Promise.resolve();
    expect(offered).toEqual([]);
  });
});
