import { createSeededRandom, createSteppedClock } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { createJournalDrain } from '../journal/drain.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { LinkLost } from '../vault/index.ts';

const event = (id: string): NetworkEvent => ({
  kind: 'receipt',
  id,
  timestamp: 1,
  messageId: id,
  recipient: 'x',
  type: 'read',
});
export const typing = (id: string): NetworkEvent => ({
  kind: 'typing',
  id,
  timestamp: 1,
  chat: 'x',
  sender: 'x',
  isGroup: false,
  typing: true,
  media: 'text',
});
export const arrival = (id: string) => ({
  digest: id,
  eventKey: null,
  seq: 1,
  value: { kind: 'event', event: event(id) } satisfies JournalEntry,
});
export const silent = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: {}, plaintext: Buffer.alloc(0) } satisfies JournalEntry,
});

export const senseless = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: { type: 'nonsense' }, plaintext: Buffer.alloc(0) } satisfies JournalEntry,
});

export const toil = (id: string) => ({
  ...arrival(id),
  value: { kind: 'message', attrs: { type: 'work' }, plaintext: Buffer.alloc(0) } satisfies JournalEntry,
});

type Entry = ReturnType<typeof arrival | typeof silent | typeof senseless | typeof toil>;

/** A journal of which nothing is left when it has been taken. */
export function createPlayedJournal(left: Entry[] = []) {
  const clock = createSteppedClock();
  const journal = new Map(left.map((entry) => [entry.digest, entry]));
  const offered: string[][] = [];
  const unprocessed: JournalEntry[] = [];
  const work = Promise.withResolvers<void>();
  let begun = 0;
  let reads = 0;
  const takes: string[][] = [];
  let held: Promise<void> | undefined;
  let answered: Promise<void> | undefined;
  let committed: Promise<void> | undefined;
  let refuse = false;
  let outage: Error | undefined;
  let blindness: Error | undefined;
  const drain = createJournalDrain({
    clock,
    random: createSeededRandom(1),
    vault: {
      async commit({ taken = [] }) {
        if (outage) throw outage;
        for (const digest of taken) journal.delete(digest);
      },
      async takeSoon(taken) {
        takes.push([...taken]);
        await committed;
        if (outage) throw outage;
        for (const digest of taken) journal.delete(digest);
      },
      async waitingArrivals(limit) {
        reads += 1;
        // The next owner of a link keeps nobody from reading.
        if (outage && !(outage instanceof LinkLost)) throw outage;
        const found = [...journal.values()].slice(0, limit);
        if (answered) await answered;
        return found;
      },
    },
    log: { warn() {} },
    async toEvents(arrived) {
      if (blindness) throw blindness;
      if (arrived.kind === 'message' && arrived.attrs.type === 'nonsense') throw new TypeError('no sense');
      return arrived.kind === 'event' ? [arrived.event] : [];
    },
    async onEvents(events) {
      offered.push(events.map(({ id }) => id));
      await held;
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
    /** How often the journal was read. */
    reads: () => reads,
    takes,
    /** What is read from now on is answered at this moment, as the journal was before; with nothing at once again. */
    readAfter(moment?: Promise<void>) {
      answered = moment;
    },
    /** What is offered from now on is not answered until this. */
    answerAfter(moment: Promise<void>) {
      held = moment;
    },
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
    /** From now on no arrival can be made into events, for this reason; with nothing they can again. */
    blind(error?: Error) {
      blindness = error;
    },
  };
}

export const settle = (): Promise<unknown> => new Promise(setImmediate);
