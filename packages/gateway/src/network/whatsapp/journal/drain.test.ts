import { describe, expect, test, vi } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { LinkLost } from '../vault/index.ts';
import { createJournalDrain } from './drain.ts';
import type { JournalEntry } from './journal.ts';

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
  value: { kind: 'event', event: event(id) } satisfies JournalEntry,
});
const silent = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: {}, plaintext: Buffer.alloc(0) } satisfies JournalEntry,
});

const senseless = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: { type: 'nonsense' }, plaintext: Buffer.alloc(0) } satisfies JournalEntry,
});

const toil = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: { type: 'work' }, plaintext: Buffer.alloc(0) } satisfies JournalEntry,
});

type Entry = ReturnType<typeof arrival | typeof silent | typeof senseless | typeof toil>;

/** A journal of which nothing is left when it has been taken. */
function setUp(left: Entry[] = []) {
  const clock = createSteppedClock();
  const journal = new Map(left.map((entry) => [entry.digest, entry]));
  const offered: string[][] = [];
  const unprocessed: JournalEntry[] = [];
  const work = Promise.withResolvers<void>();
  let begun = 0;
  let committed: Promise<void> | undefined;
  let refuse = false;
  let outage: Error | undefined;
  const drain = createJournalDrain({
    clock,
    random: createSeededRandom(1),
    vault: {
      async commit({ taken = [] }) {
        if (outage) throw outage;
        for (const digest of taken) journal.delete(digest);
      },
      async takeSoon(taken) {
        await committed;
        if (outage) throw outage;
        for (const digest of taken) journal.delete(digest);
      },
      async waitingArrivals(limit) {
        // The next owner of a link keeps nobody from reading.
        if (outage && !(outage instanceof LinkLost)) throw outage;
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
    onUnprocessed: (arrived) => unprocessed.push(arrived),
    workFor(arrived) {
      if (arrived.kind !== 'message' || arrived.attrs.type !== 'work') return undefined;
      begun += 1;
      return work.promise;
    },
  });
  const arrive = (...entries: Entry[]): void => {
    for (const entry of entries) journal.set(entry.digest, entry);
    drain.push(entries);
  };
  return {
    clock,
    journal,
    offered,
    unprocessed,
    work,
    begun: () => begun,
    drain,
    arrive,
    refuse(value: boolean) {
      refuse = value;
    },
    /** What is taken from now on stays in the journal until this. */
    takeAfter(moment: Promise<void>) {
      committed = moment;
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
    const { drain, offered, journal, arrive } = setUp([arrival('a'), arrival('b')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    arrive(arrival('c'));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(['a', 'b', 'c']);
    await drain.stop();
  });

  test('what arrives while the journal is being read is not forgotten', async () => {
    const { drain, offered, arrive } = setUp([arrival('a')]);
    drain.start();
    arrive(arrival('b'), arrival('c'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b', 'c']));
    await drain.stop();
  });

  test('what was read before the commit that put it there was answered is not offered again', async () => {
    const { drain, offered, journal, arrive } = setUp();
    drain.start();
    await settle();
    // The writer has it, and its answer is still on the way.
    journal.set('a', arrival('a'));
    drain.reread();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    drain.push([arrival('a')]);
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toContain('b'));
    expect(offered.flat()).toEqual(['a', 'b']);
    await drain.stop();
  });

  test('what makes no sense holds up nothing that stands behind it', async () => {
    const { drain, offered, arrive } = setUp([arrival('a'), senseless('b'), arrival('c')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c']));
    arrive(senseless('d'), arrival('e'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c', 'e']));
    await drain.stop();
  });

  test('a refused call is repeated after a pause, without what was passing', async () => {
    const { drain, offered, journal, clock, arrive, refuse } = setUp();
    drain.start();
    refuse(true);
    arrive(arrival('a'));
    drain.pushEphemeral(typing('t'));
    await vi.waitFor(() => expect(offered).toEqual([['a', 't']]));
    expect(journal.size).toBe(1);
    refuse(false);
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(offered).toEqual([['a', 't'], ['a']]);
    });
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('a flood waits in the journal, not in memory, and loses nothing', async () => {
    const { drain, offered, journal, arrive } = setUp();
    drain.start();
    const ids = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
    for (const id of ids) arrive(arrival(id));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(ids);
    expect(Math.max(...offered.map((batch) => batch.length))).toBeLessThanOrEqual(64);
    await drain.stop();
  });

  test('what makes no event stays a while, and is handed back after a crash', async () => {
    const { drain, journal, clock, unprocessed, offered, arrive } = setUp([silent('left')]);
    drain.start();
    await vi.waitFor(() => expect(unprocessed).toHaveLength(1));
    arrive(silent('new'), arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    expect([...journal.keys()]).toEqual(['left', 'new']);
    expect(unprocessed).toHaveLength(1);
    clock.advance(31_000);
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('what makes no event and could not be struck off in its time goes a while later', async () => {
    const { drain, journal, clock, offered, arrive, fail } = setUp();
    drain.start();
    await settle();
    arrive(silent('quiet'), arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    fail(new Error('out of reach'));
    clock.advance(31_000);
    await settle();
    expect([...journal.keys()]).toEqual(['quiet']);
    fail();
    await vi.waitFor(() => {
      clock.advance(31_000);
      expect(journal.size).toBe(0);
    });
    expect(offered.flat()).toEqual(['a']);
    await drain.stop();
  });

  test('what makes no event is left to the next owner when the link is lost', async () => {
    const { drain, journal, clock, offered, arrive, fail } = setUp();
    drain.start();
    await settle();
    arrive(silent('quiet'), arrival('a'));
    await vi.waitFor(() => expect([...journal.keys()]).toEqual(['quiet']));
    fail(new LinkLost('taken_over'));
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    await settle();
    fail();
    clock.advance(31_000);
    await settle();
    expect([...journal.keys()]).toEqual(['quiet', 'b']);
    await drain.stop();
  });

  test('what the driver works on stays until that is done, however long it takes, and is begun once', async () => {
    const { drain, journal, clock, unprocessed, offered, begun, work, arrive } = setUp([toil('left')]);
    drain.start();
    await vi.waitFor(() => expect(begun()).toBe(1));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    clock.advance(600_000);
    drain.reread();
    await settle();
    expect([...journal.keys()]).toEqual(['left']);
    expect([begun(), unprocessed]).toEqual([1, []]);
    work.resolve();
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('what the driver gave up working on is left for the next run', async () => {
    const { drain, journal, begun, work, arrive } = setUp();
    drain.start();
    arrive(toil('a'));
    await vi.waitFor(() => expect(begun()).toBe(1));
    work.reject(new Error('closed'));
    await settle();
    expect([...journal.keys()]).toEqual(['a']);
    await drain.stop();
  });

  test('goes on when the database could not be read at first', async () => {
    const { drain, offered, journal, clock, fail } = setUp([arrival('a')]);
    fail(new Error('out of reach'));
    drain.start();
    await settle();
    fail();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(journal.size).toBe(0);
    });
    expect(offered).toEqual([['a']]);
    await drain.stop();
  });

  test('offers again what it could not strike off, and what comes afterwards', async () => {
    const { drain, offered, journal, clock, arrive, fail } = setUp();
    drain.start();
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
    await drain.stop();
  });

  test('offers nothing again that was taken and has not been struck off yet', async () => {
    const { drain, offered, journal, arrive, takeAfter } = setUp();
    const nextCommit = Promise.withResolvers<void>();
    takeAfter(nextCommit.promise);
    drain.start();
    await settle();
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    drain.reread();
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    expect([...journal.keys()]).toEqual(['a', 'b']);
    nextCommit.resolve();
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('finds what lies in the journal and nobody told of, when asked to look again', async () => {
    const { drain, offered, journal } = setUp();
    drain.start();
    await settle();
    journal.set('quiet', arrival('quiet'));
    drain.reread();
    await vi.waitFor(() => expect(offered).toEqual([['quiet']]));
    await drain.stop();
  });

  test('leaves everything to the next owner when the link is lost', async () => {
    const { drain, offered, clock, journal, arrive, fail } = setUp();
    drain.start();
    await settle();
    fail(new LinkLost('taken_over'));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    await settle();
    fail();
    clock.advance(60_000);
    await settle();
    expect([offered.length, journal.size]).toEqual([1, 1]);
    await drain.stop();
  });

  test('nobody is called after it has stopped', async () => {
    const { drain, offered, arrive } = setUp();
    drain.start();
    await drain.stop();
    arrive(arrival('late'));
    await Promise.resolve();
    expect(offered).toEqual([]);
  });
});
