import { type Clock, growingPause, type Random, type Timer } from '#kernel';
import { StoreError } from '#store';
import type { NetworkEvent } from '../../events.ts';
import type { Log } from '../guards/index.ts';
import { type ArrivalDraft, LinkLost, type Vault } from '../vault/index.ts';
import type { Arrived } from './arrived.ts';

/**
 * Between the journal and the gateway. Durable arrivals and passing events stand in one queue and are handed over in batches, one call at
 * a time; an arrival leaves the journal after the call that carried it has resolved. A refused call is repeated after a growing pause, the
 * passing events of it are let go.
 *
 * The queue is bounded. When it is full, arrivals are only noted as `behind`, for they lie in the journal anyway, and are read from there
 * when the queue has run empty; so it is at the start, too, and whenever the journal may hold what nobody was told of: a commit whose
 * answer was lost, or a database that was out of reach for a while.
 *
 * Some arrivals make no event: keys and history that the library itself digests, after its receipt has left. They stay in the journal a
 * little longer, so that a crash does not lose them: `onUndigested` gets what the last run left of them.
 */
export interface Handover {
  /** Hands over what the last run left, then everything that comes. */
  start(): void;
  arrived(arrivals: readonly ArrivalDraft[]): void;
  /** The journal may hold more than was told of. */
  lookAgain(): void;
  passing(event: NetworkEvent): void;
  /** Calls nobody any more, and waits for the call under way. */
  stop(): Promise<void>;
}

export interface HandoverParts {
  readonly vault: Pick<Vault, 'commit' | 'waitingArrivals'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
  readonly toEvents: (arrived: Arrived) => Promise<readonly NetworkEvent[]>;
  readonly onEvents: (events: readonly NetworkEvent[]) => Promise<void>;
  readonly onUndigested: (arrived: Arrived) => void;
}

type Waiting = { readonly digest: string; readonly arrived: Arrived } | { readonly passing: NetworkEvent };

const LARGEST_BATCH = 64;
const LONGEST_QUEUE = 512;
const DIGESTION_MS = 30_000;
const FAILED = { firstMs: 500, longestMs: 30_000, jitter: 0.2 };

export function createHandover({ vault, clock, random, log, ...parts }: HandoverParts): Handover {
  const queue: Waiting[] = [];
  const stopping = new AbortController();
  /** Arrivals without an event that may go at the next sweep, and those that came after it was ordered. */
  let digesting = new Set<string>();
  let sweep: Timer | undefined;
  let behind = true;
  let moreCame = false;
  let readingLastRun = true;
  let failures = 0;
  let running: Promise<void> | undefined;

  function wake(): void {
    if (running || stopping.signal.aborted) return;
    running = run().then(goOn);
  }

  function goOn(): void {
    running = undefined;
    if (behind || queue.length > 0) wake();
  }

  async function run(): Promise<void> {
    // A tick later, so that what came in one go becomes one call.
    await Promise.resolve();
    while (!stopping.signal.aborted && (behind || queue.length > 0)) {
      try {
        if (behind && queue.every(isPassing)) await readJournal();
        else await handOver(queue.slice(0, LARGEST_BATCH));
      } catch (error) {
        await comeThrough(error);
      }
    }
  }

  /** Somebody else has the link, and hands over what is left of it; or the database is out of reach, and what it holds is read later. */
  async function comeThrough(error: unknown): Promise<void> {
    if (error instanceof LinkLost) return stopping.abort();
    mustLookAgain();
    await pause();
  }

  function mustLookAgain(): void {
    behind = true;
    moreCame = true;
  }

  function pause(): Promise<void> {
    failures += 1;
    return clock.sleep(growingPause(FAILED, failures, random), stopping.signal).catch(() => {});
  }

  async function readJournal(): Promise<void> {
    moreCame = false;
    const limit = LONGEST_QUEUE + digesting.size;
    const rows = await vault.waitingArrivals(limit);
    failures = 0;
    const unseen = rows.filter(({ digest }) => !digesting.has(digest));
    // What is passing came while the journal was read, or waited for it.
    queue.unshift(...unseen.map(({ digest, value }) => toWaiting(digest, value)));
    behind = rows.length === limit || moreCame;
    if (queue.length === 0 && !behind) readingLastRun = false;
  }

  async function handOver(batch: readonly Waiting[]): Promise<void> {
    const events: NetworkEvent[] = [];
    const taken: string[] = [];
    const eventless: string[] = [];
    try {
      for (const waiting of batch) {
        const made = 'passing' in waiting ? [waiting.passing] : await eventsOf(waiting.arrived);
        events.push(...made);
        if (!('passing' in waiting)) (made.length > 0 ? taken : eventless).push(waiting.digest);
      }
      if (stopping.signal.aborted) return;
      if (events.length > 0) await parts.onEvents(events);
    } catch {
      letPassingGo(batch);
      return pause();
    }
    queue.splice(0, batch.length);
    if (readingLastRun) handBack(batch, eventless);
    digest(eventless);
    if (taken.length > 0) await vault.commit({ taken });
    failures = 0;
    if (!behind && queue.length === 0) readingLastRun = false;
  }

  /** What was decrypted and still makes no sense would make none the next time either, and must not hold up what stands behind it. */
  async function eventsOf(arrived: Arrived): Promise<readonly NetworkEvent[]> {
    try {
      return await parts.toEvents(arrived);
    } catch (error) {
      if (error instanceof StoreError || error instanceof LinkLost) throw error;
      log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'an arrival makes no sense');
      return [];
    }
  }

  function letPassingGo(batch: readonly Waiting[]): void {
    queue.splice(0, batch.length, ...batch.filter((waiting) => !isPassing(waiting)));
  }

  function handBack(batch: readonly Waiting[], eventless: readonly string[]): void {
    for (const waiting of batch) {
      if (!('passing' in waiting) && eventless.includes(waiting.digest)) parts.onUndigested(waiting.arrived);
    }
  }

  function digest(digests: readonly string[]): void {
    for (const one of digests) digesting.add(one);
    if (digesting.size > 0) sweep ??= clock.after(DIGESTION_MS, sweepDigested);
  }

  function sweepDigested(): void {
    sweep = undefined;
    const taken = [...digesting];
    digesting = new Set();
    // What cannot go now lies there until the journal is read again.
    if (!stopping.signal.aborted) vault.commit({ taken }).catch(lookAgain);
  }

  function lookAgain(): void {
    mustLookAgain();
    wake();
  }

  return {
    start: wake,
    lookAgain,
    arrived(arrivals) {
      if (behind || queue.length + arrivals.length > LONGEST_QUEUE) mustLookAgain();
      else {
        for (const { digest, value } of arrivals) queue.push(toWaiting(digest, value));
      }
      wake();
    },
    passing(event) {
      if (queue.length >= LONGEST_QUEUE) return;
      queue.push({ passing: event });
      wake();
    },
    async stop() {
      stopping.abort();
      sweep?.cancel();
      await running;
    },
  };
}

function isPassing(waiting: Waiting): boolean {
  return 'passing' in waiting;
}

/** What lies in the journal was put there by the journal. */
function toWaiting(digest: string, value: unknown): Waiting {
  return { digest, arrived: value as Arrived };
}
