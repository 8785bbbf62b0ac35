import { type Clock, growingPause, neverRejects, type Random, sleepOrAbort, type Timer } from '#kernel';
import { StoreError } from '#platform/store';
import type { NetworkEvent } from '../../events.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { withoutWords } from '../errors.ts';
import type { Log } from '../guards/index.ts';
import { type ArrivalDraft, LinkLost, type Vault } from '../vault/index.ts';
import { createHeldArrivals } from './held-arrivals.ts';
import type { JournalEntry } from './journal.ts';

/**
 * Drains the journal into the gateway. Durable arrivals and ephemeral events share one queue and are delivered
 * in batches, one call at a time. An arrival leaves the journal after its call has resolved, with one of the
 * next commits. A rejected call is repeated with backoff, without its ephemeral events.
 *
 * The queue is bounded. When it is full, new arrivals only set `behind`: they are in the journal anyway, and are
 * read from there once the queue is empty. The journal is also read at the start, and whenever it may hold
 * entries that were never queued: after a commit whose answer was lost, or while the database was out of reach.
 *
 * An arrival may wait for another one for a minute: it stays in the journal, and is read again meanwhile.
 *
 * Some arrivals make no event. Work of the driver for an arrival (`workFor`) runs beside the queue, and the
 * arrival stays until it is done. The others are keys that the library processes after its receipt has left.
 * They stay in the journal a little longer, so that a crash does not lose them: `onUnprocessed` gets those that
 * the last run left.
 */
export interface JournalDrain {
  /** Delivers what the last run left, then everything that arrives. */
  start(): void;
  push(arrivals: readonly ArrivalDraft[]): void;
  /** Reads the journal, which may hold entries that were never queued. */
  reread(): void;
  pushEphemeral(event: NetworkEvent): void;
  /** Starts no further call and waits for the current one. */
  stop(): Promise<void>;
}

interface JournalDrainOptions {
  readonly vault: Pick<Vault, 'commit' | 'takeSoon' | 'waitingArrivals'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
  /** `later`: it waits for another arrival; not answered when `canWait` is false. */
  readonly toEvents: (entry: JournalEntry, canWait: boolean) => Promise<readonly NetworkEvent[] | 'later'>;
  readonly onEvents: (events: readonly NetworkEvent[]) => Promise<void>;
  readonly onUnprocessed: (entry: JournalEntry) => void;
  /** Undefined when there is none. Rejected work is repeated by the next run. */
  readonly workFor: (entry: JournalEntry) => Promise<void> | undefined;
}

interface Arrival {
  readonly digest: string;
  readonly entry: JournalEntry;
}

type QueueItem = Arrival | { readonly ephemeral: NetworkEvent };

const MAX_BATCH = 64;
const MAX_QUEUE = 512;
const PROCESSING_MS = 30_000;
const FAILED = { firstMs: 500, longestMs: 30_000, jitter: 0.2 };

export function createJournalDrain({
  vault,
  clock,
  random,
  log,
  ...parts
}: JournalDrainOptions): JournalDrain {
  const queue: QueueItem[] = [];
  const stopping = new AbortController();
  /** Arrivals without an event for the next sweep, and those that came after it was scheduled. */
  let processing = new Set<string>();
  /** Delivered arrivals whose journal entries are not updated yet. */
  const leaving = new Set<string>();
  /** Arrivals with work in progress. */
  const working = new Set<string>();
  /** Arrivals that were read from the journal. The commit of the newest may resolve later and push them once more. */
  const read = createBoundedCache<true>({ limit: 2 * MAX_QUEUE });
  const held = createHeldArrivals<Arrival>(clock, (items) => {
    queue.push(...items);
    wake();
  });
  let sweep: Timer | undefined;
  let behind = true;
  let moreCame = false;
  let readingLastRun = true;
  let failures = 0;
  let running: Promise<void> | undefined;

  function wake(): void {
    if (running || stopping.signal.aborted) return;
    running = run();
  }

  async function run(): Promise<void> {
    // One tick later, so that arrivals of one tick become one call.
    await Promise.resolve();
    while (!stopping.signal.aborted && (behind || queue.length > 0)) {
      if (behind && queue.every(isEphemeral)) await readJournal().catch(readAgainLater);
      else await handOver(queue.slice(0, MAX_BATCH));
    }
    // In the same step as the last check of the queue, so that no later arrival is missed.
    running = undefined;
  }

  function readAgainLater(error: unknown): Promise<void> {
    log.warn(withoutWords(error), 'the journal could not be read; retrying');
    markBehind();
    return pause();
  }

  function markBehind(): void {
    behind = true;
    moreCame = true;
  }

  function pause(): Promise<void> {
    failures += 1;
    return sleepOrAbort(clock, growingPause(FAILED, failures, random), stopping.signal);
  }

  async function readJournal(): Promise<void> {
    moreCame = false;
    const known = new Set([...processing, ...working, ...leaving, ...held.digests()]);
    const limit = MAX_QUEUE + known.size;
    const rows = await vault.waitingArrivals(limit);
    failures = 0;
    const unseen = rows.filter(({ digest }) => !known.has(digest));
    for (const { digest } of unseen) read.set(digest, true);
    // All queued items are ephemeral and came later than these.
    queue.unshift(...unseen.map(({ digest, value }) => toItem(digest, value)));
    behind = rows.length === limit || moreCame;
    if (queue.length === 0 && !behind) readingLastRun = false;
  }

  async function handOver(batch: readonly QueueItem[]): Promise<void> {
    const events: NetworkEvent[] = [];
    const taken: string[] = [];
    const eventless: Arrival[] = [];
    const waiting: Arrival[] = [];
    try {
      for (const item of batch) {
        const made = 'ephemeral' in item ? [item.ephemeral] : await eventsOf(item);
        if (made !== 'later') events.push(...made);
        if ('ephemeral' in item) continue;
        if (made === 'later') waiting.push(item);
        else if (made.length > 0) taken.push(item.digest);
        else eventless.push(item);
      }
      if (stopping.signal.aborted) return;
      if (events.length > 0) await parts.onEvents(events);
    } catch (error) {
      log.warn(withoutWords(error), 'arrivals could not be delivered; retrying');
      dropEphemeral(batch);
      return pause();
    }
    queue.splice(0, batch.length);
    for (const { digest } of eventless) held.release(digest);
    for (const item of waiting) held.hold(item.digest, item);
    const left = eventless.filter((arrival) => !workOn(arrival));
    if (readingLastRun) for (const { entry } of left) parts.onUnprocessed(entry);
    keepForLibrary(left.map(({ digest }) => digest));
    if (taken.length > 0) leave(taken);
    failures = 0;
    if (!behind && queue.length === 0) readingLastRun = false;
  }

  function leave(taken: readonly string[]): void {
    for (const digest of taken) {
      leaving.add(digest);
      held.release(digest);
    }
    const forget = (): void => {
      for (const digest of taken) leaving.delete(digest);
    };
    vault.takeSoon(taken).then(forget, (error: unknown) => {
      forget();
      if (error instanceof LinkLost) stopping.abort();
      else reread();
    });
  }

  /** An entry that cannot be read now cannot be read later either, and must not block the queue. */
  async function eventsOf({ digest, entry }: Arrival): Promise<readonly NetworkEvent[] | 'later'> {
    try {
      return await parts.toEvents(entry, held.mayHold(digest));
    } catch (error) {
      if (error instanceof StoreError || error instanceof LinkLost) throw error;
      log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'an arrival is unreadable');
      return [];
    }
  }

  function dropEphemeral(batch: readonly QueueItem[]): void {
    queue.splice(0, batch.length, ...batch.filter((item) => !isEphemeral(item)));
  }

  /** False when there is no work for it. */
  function workOn({ digest, entry }: Arrival): boolean {
    const work = parts.workFor(entry);
    if (!work) return false;
    working.add(digest);
    neverRejects(finish(digest, work));
    return true;
  }

  async function finish(digest: string, work: Promise<void>): Promise<void> {
    const isDone = await work.then(
      () => true,
      (error: unknown) => {
        // Work that the end of the session cuts off is no failure; the next session repeats it.
        const isCutOff = error instanceof Error && error.name === 'AbortError';
        if (!isCutOff && !stopping.signal.aborted)
          log.warn(withoutWords(error), 'the work for an arrival failed; the next session repeats it');
        return false;
      },
    );
    if (!isDone || stopping.signal.aborted) return;
    try {
      await vault.commit({ taken: [digest] });
      working.delete(digest);
    } catch (error) {
      log.warn(
        withoutWords(error),
        'the finished work for an arrival could not be recorded; reading the journal again',
      );
      working.delete(digest);
      reread();
    }
  }

  function keepForLibrary(digests: readonly string[]): void {
    for (const one of digests) processing.add(one);
    if (processing.size > 0) sweep ??= clock.after(PROCESSING_MS, sweepProcessed);
  }

  function sweepProcessed(): void {
    sweep = undefined;
    const taken = [...processing];
    processing = new Set();
    // What remains stays in the journal until it is read again.
    if (stopping.signal.aborted) return;
    vault.commit({ taken }).catch((error: unknown) => {
      log.warn(withoutWords(error), 'processed arrivals could not be recorded; reading the journal again');
      reread();
    });
  }

  function reread(): void {
    markBehind();
    wake();
  }

  return {
    start: wake,
    reread,
    push(arrivals) {
      const news = arrivals.filter(({ digest }) => read.get(digest) === undefined);
      if (behind || queue.length + news.length > MAX_QUEUE) markBehind();
      else {
        for (const { digest, value } of news) queue.push(toItem(digest, value));
      }
      wake();
    },
    pushEphemeral(event) {
      if (queue.length >= MAX_QUEUE) return;
      queue.push({ ephemeral: event });
      wake();
    },
    async stop() {
      stopping.abort();
      sweep?.cancel();
      held.stop();
      await running;
    },
  };
}

function isEphemeral(item: QueueItem): boolean {
  return 'ephemeral' in item;
}

/** All entries of the journal are written by the journal. */
function toItem(digest: string, value: unknown): QueueItem {
  return { digest, entry: value as JournalEntry };
}
