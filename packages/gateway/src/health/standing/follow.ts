import type { EventLog } from '#event-log';
import type { OwnedNumber } from '#http';
import { type Clock, createKeyedQueue, sleepOrAbort } from '#kernel';
import type { StandingNews } from '#network';
import type { Store } from '#store';
import { noteHealth } from '../write-commands.ts';
import type { HealthNote } from './note.ts';

/** Whom something was learned about: a number while a process hosts it. */
interface HealthSubject {
  readonly number: Pick<OwnedNumber, 'accountId' | 'slotId'>;
  readonly sessionId: string;
  /** Null when it does not matter who hosts it. */
  readonly fence: number | null;
}

type Learned = Pick<HealthNote, 'signals' | 'counts'>;

/** Writes down what is learned about numbers, of each in its order. */
export interface HealthFollower {
  /** The network says something about a number. */
  hear(subject: HealthSubject, news: StandingNews): void;
  note(subject: HealthSubject, learned: Learned): void;
  /** Takes nothing more, and gives up what could not be written yet. */
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
        log.warn({ slotId, err: error }, 'could not write down how a number stands; it is tried again');
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
    hear: (subject, news) => note(subject, learnedFrom(news)),
    note,
    async stop() {
      stopped.abort();
      await Promise.allSettled(underWay);
    },
  };
}

function learnedFrom(news: StandingNews): Learned {
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
