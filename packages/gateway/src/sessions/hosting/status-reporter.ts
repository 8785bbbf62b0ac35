import { type ConnectionChange, DISCONNECTED_DEBOUNCE_SECONDS } from '@parley/contract';
import type { EventLog, NewEvent } from '#event-log';
import type { Clock, Timer } from '#kernel';
import type { SessionRow, Store } from '#store';
import type { Log } from '../types.ts';
import { writeConnection } from '../write-commands.ts';

/**
 * Keeps what the database and the outside know of one connection true, in the order in which it happened.
 *
 * - `connected` is told when the outside does not think so already, `logged_out` at once.
 * - `disconnected` is told when the connection has been away for ten seconds; a shorter drop changes the status and tells nobody.
 *
 * What the outside was told last is kept beside the status, so that a restart or another host neither repeats nor forgets a word.
 * Status and event are written together; while the database is out of reach they wait here, and nothing is left out.
 */
export interface ConnectionReport {
  connected(): void;
  lost(): void;
  loggedOut(): void;
  /** Says nothing more; resolves when the write under way is over. */
  stop(): Promise<void>;
  /** Resolves when everything reported so far is written, or will never be. */
  settled(): Promise<void>;
}

export interface ReportParts {
  readonly store: Pick<Store, 'run'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly row: SessionRow;
  /** The status has been written. */
  readonly onWritten: () => void;
  /** The database says that this is not our session any more. */
  readonly onRefused: () => void;
}

interface Change {
  readonly status: SessionRow['status'];
  readonly since: number;
  /** What the outside has heard last, once this is written. */
  readonly reported: ConnectionChange | null;
  readonly isNews: boolean;
}

const DEBOUNCE_MS = DISCONNECTED_DEBOUNCE_SECONDS * 1_000;
const WRITE_AGAIN_AFTER_MS = 1_000;

export function createReport(parts: ReportParts): ConnectionReport {
  const { store, events, clock, log, row } = parts;
  const waiting: Change[] = [];
  const stopped = new AbortController();
  let told = row.reported;
  let debounce: Timer | undefined;
  let writing = Promise.resolve();

  function enter(status: SessionRow['status'], tell?: ConnectionChange, since = clock.now()): void {
    if (stopped.signal.aborted) return;
    const isNews = tell !== undefined && tell !== told;
    told = tell ?? told;
    waiting.push({ status, since, reported: told, isNews });
    writing = writing.then(writeNext);
  }

  async function writeNext(): Promise<void> {
    const [change] = waiting;
    if (!change || stopped.signal.aborted) return;
    try {
      const written = await write(change);
      waiting.shift();
      if (written) parts.onWritten();
      else parts.onRefused();
    } catch (error) {
      log.warn({ slotId: row.slot_id, err: error }, 'could not write the state of a session');
      await clock.sleep(WRITE_AGAIN_AFTER_MS, stopped.signal).then(writeNext, () => {});
    }
  }

  async function write({ status, since, reported, isNews }: Change): Promise<boolean> {
    const { slot_id: slotId, fence } = row;
    const news = isNews && reported ? [events.prepare(connectionEvent(row, reported, since))] : [];
    const written = await store.run(writeConnection, {
      slotId,
      fence,
      status,
      since,
      reported,
      events: news,
    });
    if (written) events.announce(news);
    return written;
  }

  function awaitReturn(since: number): void {
    debounce?.cancel();
    if (told !== 'connected') return;
    debounce = clock.after(DEBOUNCE_MS, () => enter('reconnecting', 'disconnected', since));
  }

  // The host before this one may have died with a connection: it has as long to come back as one that was lost here.
  awaitReturn(row.since);

  return {
    connected() {
      debounce?.cancel();
      enter('connected', 'connected');
    },
    lost() {
      const since = clock.now();
      enter('reconnecting', undefined, since);
      awaitReturn(since);
    },
    loggedOut() {
      debounce?.cancel();
      enter('logged_out', 'logged_out');
    },
    stop() {
      stopped.abort();
      debounce?.cancel();
      return writing;
    },
    settled: () => writing,
  };
}

/** `at`: when it happened. */
export function connectionEvent(row: SessionRow, change: ConnectionChange, at: number): NewEvent {
  return {
    accountId: row.account_id,
    slotId: row.slot_id,
    key: `connection ${row.link_id} ${row.fence} ${change} ${at}`,
    event: {
      kind: 'connection',
      session_id: row.session_id,
      event: change,
      timestamp_unix: Math.floor(at / 1_000),
    },
  };
}
