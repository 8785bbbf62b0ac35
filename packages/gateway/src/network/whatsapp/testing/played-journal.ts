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

/** Comes before the arrival of this name. */
export const early = (id: string, awaited: string) => ({
  ...arrival(id),
  value: {
    kind: 'message',
    attrs: { type: 'early', id, awaited },
    plaintext: Buffer.alloc(0),
  } satisfies JournalEntry,
});

type Entry = ReturnType<typeof arrival | typeof silent | typeof senseless | typeof toil | typeof early>;

/** A journal that is empty when all its entries were taken. */
export function createRecordedJournal(left: Entry[] = []) {
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
        // A new owner of the link does not prevent reads.
        if (outage && !(outage instanceof LinkLost)) throw outage;
        const found = [...journal.values()].slice(0, limit);
        if (answered) await answered;
        return found;
      },
    },
    log: { warn() {} },
    async toEvents(arrived, canWait) {
      if (blindness) throw blindness;
      if (arrived.kind === 'message' && arrived.attrs.type === 'early') {
        const { id = '', awaited = '' } = arrived.attrs;
        if (offered.flat().includes(awaited)) return [event(id)];
        return canWait ? 'later' : [event(`${id}, given up`)];
      }
      if (arrived.kind === 'message' && arrived.attrs.type === 'nonsense')
        throw new TypeError('an unreadable arrival');
      return arrived.kind === 'event' ? [arrived.event] : [];
    },
    async onEvents(events) {
      offered.push(events.map(({ id }) => id));
      await held;
      if (refuse) throw new Error('the database is away');
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
    /** Number of reads of the journal. */
    reads: () => reads,
    takes,
    /** Delays the result of later reads, taken before the delay; without an argument they resolve at once again. */
    readAfter(moment?: Promise<void>) {
      answered = moment;
    },
    /** Delays the answers to later offers. */
    answerAfter(moment: Promise<void>) {
      held = moment;
    },
    drain,
    arrive,
    refuse(value: boolean) {
      refuse = value;
    },
    /** Delays the removal of entries that are taken later. */
    takeAfter(moment: Promise<void>) {
      committed = moment;
    },
    /** Makes the database fail with this error; without an argument it works again. */
    fail(error?: Error) {
      outage = error;
    },
    /** Makes the conversion into events fail with this error; without an argument it works again. */
    blind(error?: Error) {
      blindness = error;
    },
  };
}

export const settle = (): Promise<unknown> => new Promise(setImmediate);
