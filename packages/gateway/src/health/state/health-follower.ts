import type { EventLog } from '#events';
import { type Clock, createKeyedQueue, sleepOrAbort } from '#kernel';
import type { NumberHealthChange } from '#network';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { noteHealth } from '../write-commands.ts';
import type { HealthNote } from './health-notes.ts';

/** The number that a note is about, while a process hosts it. */
interface HealthSubject {
  readonly number: Pick<OwnedNumber, 'accountId' | 'slotId'>;
  readonly sessionId: string;
  /** Null when the note does not depend on the host. */
  readonly fence: number | null;
}

type Learned = Pick<HealthNote, 'signals' | 'counts'>;

/** Writes health notes, in the order of each number. */
export interface HealthFollower {
  /** Takes a change that the network reports. */
  learn(subject: HealthSubject, news: NumberHealthChange): void;
  note(subject: HealthSubject, learned: Learned): void;
  /** Takes nothing more, and drops notes that could not be written yet. */
  stop(): Promise<void>;
}

const WRITE_AGAIN_AFTER_MS = 1_000;

export function createHealthFollower({
  store,
  events,
  clock,
  log,
}: {
  store: Pick<Store, 'run'>;
  events: Pick<EventLog, 'announce'>;
  clock: Clock;
  log: { warn(details: object, message: string): void };
}): HealthFollower {
  const queue = createKeyedQueue();
  const stopped = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function write({ number, sessionId, fence }: HealthSubject, learned: Learned): Promise<void> {
    const { accountId, slotId } = number;
    const note = { accountId, slotId, sessionId, fence, at: clock.now(), ...learned };
    while (!stopped.signal.aborted) {
      try {
        if (await store.run(noteHealth, note)) events.announce([{ accountId }]);
        return;
      } catch (error) {
        log.warn({ slotId, err: error }, 'could not write the health of a number; retrying');
        await sleepOrAbort(clock, WRITE_AGAIN_AFTER_MS, stopped.signal);
      }
    }
  }

  function note(subject: HealthSubject, learned: Learned): void {
    if (stopped.signal.aborted) return;
    const writing = queue(subject.number.slotId, () => write(subject, learned)).finally(() =>
      underWay.delete(writing),
    );
    underWay.add(writing);
  }

  return {
    learn: (subject, news) => note(subject, learnedFrom(news)),
    note,
    async stop() {
      stopped.abort();
      await Promise.allSettled(underWay);
    },
  };
}

function learnedFrom(news: NumberHealthChange): Learned {
  switch (news.kind) {
    case 'reachout_lock':
    case 'new_chat_cap':
      return { signals: [news] };
    case 'undecryptable':
      return { signals: [], counts: ['undecryptable'] };
    case 'rate_overlimit':
    case 'deaf':
      return { signals: [{ kind: news.kind }], counts: [news.kind] };
  }
}
