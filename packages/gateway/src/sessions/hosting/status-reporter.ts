import { type ConnectionChange, DISCONNECTED_DEBOUNCE_SECONDS, isRefusal } from '@parley/contract';
import type { EventLog, NewEvent } from '#events';
import type { HealthNote } from '#health';
import type { Clock, Timer } from '#kernel';
import { sleepOrAbort } from '#kernel';
import type { SessionRow, Store } from '#platform/store';
import { type Reason, reasonView } from '../status.ts';
import type { Log } from '../types.ts';
import { writeConnection } from '../write-commands.ts';

/**
 * Writes the status of one connection and publishes its events, in the order of the changes.
 *
 * - `connected` is published unless it was the last event, `logged_out` at once.
 * - `disconnected` is published after ten seconds without a connection; a shorter drop changes the status only. A refusal by the network
 *   is published at once, and again when its reason or its end changes.
 *
 * The last published change is stored beside the status, so that a restart or another host neither repeats nor loses an event. Status
 * and event are written together; while the database is out of reach they queue here, and none is lost.
 */
export interface ConnectionReport {
  connected(): void;
  /** Also when the reason of a loss has changed. */
  lost(why: Reason): void;
  /** Published at once: without its owner the number does not come back. */
  passkeyRequired(why: Reason): void;
  /** `code`: the network's own number for the reason. */
  refused(why: Reason, code?: number): void;
  loggedOut(why: Reason): void;
  /** Records nothing more; resolves when the write under way is over. */
  stop(): Promise<void>;
  /** Resolves when everything reported so far is written, or never will be. */
  settled(): Promise<void>;
}

export interface ReportParts {
  readonly store: Pick<Store, 'run'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly row: SessionRow;
  /** The status is written. */
  readonly onWritten: () => void;
  /** The database has another host for this session. */
  readonly onRefused: () => void;
}

interface ReportedState {
  readonly status: SessionRow['status'];
  readonly since: number;
  readonly why: Reason | null;
}

interface Change extends ReportedState {
  /** The last published change once this is written. */
  readonly reported: ConnectionChange | null;
  readonly isNews: boolean;
  readonly health: HealthPart | undefined;
}

/** The part of a change that concerns the number's health. */
type HealthPart = Pick<HealthNote, 'signals' | 'counts'>;

const DEBOUNCE_MS = DISCONNECTED_DEBOUNCE_SECONDS * 1_000;
const WRITE_AGAIN_AFTER_MS = 1_000;
const DISCONNECTED: HealthPart = { signals: [], counts: ['disconnects'] };

export function createReport(parts: ReportParts): ConnectionReport {
  const { store, events, clock, log, row } = parts;
  const waiting: Change[] = [];
  const stopped = new AbortController();
  let lastReported = row.reported;
  let current = reportedStateOf(row);
  let debounce: Timer | undefined;
  let writing = Promise.resolve();

  function enter(
    next: ReportedState,
    change?: ConnectionChange,
    health?: HealthPart,
    isNews = change !== undefined && change !== lastReported,
  ): void {
    current = next;
    lastReported = change ?? lastReported;
    waiting.push({ ...next, reported: lastReported, isNews, health });
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
      await sleepOrAbort(clock, WRITE_AGAIN_AFTER_MS, stopped.signal);
      if (!stopped.signal.aborted) await writeNext();
    }
  }

  async function write({ status, since, why, reported, isNews, health }: Change): Promise<boolean> {
    const { slot_id: slotId, fence } = row;
    const news = isNews && reported ? [events.prepare(connectionEvent(row, reported, since, why))] : [];
    const written = await store.run(writeConnection, {
      slotId,
      fence,
      status,
      since,
      reported,
      why,
      events: news,
      health: health ? [{ ...numberOf(row), at: clock.now(), ...health }] : [],
    });
    if (written && (news.length > 0 || health)) events.announce([numberOf(row)]);
    return written;
  }

  function awaitReturn(): void {
    debounce?.cancel();
    if (lastReported !== 'connected') return;
    debounce = clock.after(DEBOUNCE_MS, () => enter(current, 'disconnected'));
  }

  // The host before this one may have died with a connection: it gets as long to come back as a connection lost here.
  awaitReturn();

  return {
    connected() {
      debounce?.cancel();
      const { link_id: linkId, session_id: sessionId } = row;
      enter({ status: 'connected', since: clock.now(), why: null }, 'connected', {
        signals: [{ kind: 'connected', linkId, sessionId }],
      });
    },
    lost(why) {
      const before = current.why?.reason ?? null;
      // A number that waited for its owner is lost from now on.
      const isAway = current.status === 'reconnecting' && before !== 'passkey_required' && !isRefusal(before);
      if (isAway && isSame(current.why, why)) return;
      const health = current.status === 'connected' ? DISCONNECTED : undefined;
      enter({ status: 'reconnecting', since: isAway ? current.since : clock.now(), why }, undefined, health);
      if (!isAway) awaitReturn();
    },
    passkeyRequired(why) {
      debounce?.cancel();
      if (isSame(current.why, why) && lastReported === 'disconnected') return;
      const since = isSame(current.why, why) ? current.since : clock.now();
      const health = current.status === 'connected' ? DISCONNECTED : undefined;
      enter({ status: 'reconnecting', since, why }, 'disconnected', health, true);
    },
    refused(why, code) {
      debounce?.cancel();
      const isKnown = isSame(current.why, why);
      if (isKnown && lastReported === 'disconnected') return;
      const since = isKnown ? current.since : clock.now();
      const { reason, until } = why;
      const signal = { kind: 'refused', reason, until, ...(code !== undefined && { code }) } as const;
      const health = { signals: [signal] };
      enter({ status: 'reconnecting', since, why }, 'disconnected', health, true);
    },
    loggedOut(why) {
      debounce?.cancel();
      const cause = why.reason === 'locked' || why.reason === 'banned' ? why.reason : 'logged_out';
      const health = { signals: [{ kind: 'ended', cause }] } as const;
      enter({ status: 'logged_out', since: clock.now(), why }, 'logged_out', health);
    },
    stop() {
      stopped.abort();
      debounce?.cancel();
      return writing;
    },
    settled: () => writing,
  };
}

function numberOf(row: SessionRow): Pick<HealthNote, 'accountId' | 'slotId' | 'sessionId'> {
  return { accountId: row.account_id, slotId: row.slot_id, sessionId: row.session_id };
}

/** The state that the host before this one has left. */
function reportedStateOf({
  since,
  reason,
  reason_detail: detail,
  reason_until: until,
}: SessionRow): ReportedState {
  return {
    status: 'reconnecting',
    since,
    why: reason === null ? null : { reason, detail: detail ?? '', until },
  };
}

function isSame(one: Reason | null, other: Reason): boolean {
  return one?.reason === other.reason && one.detail === other.detail && one.until === other.until;
}

/** `at`: time of the change. */
export function connectionEvent(
  row: SessionRow,
  change: ConnectionChange,
  at: number,
  why: Reason | null = null,
): NewEvent {
  return {
    accountId: row.account_id,
    slotId: row.slot_id,
    key: `connection ${row.link_id} ${row.fence} ${change} ${at}`,
    event: {
      kind: 'connection',
      session_id: row.session_id,
      event: change,
      timestamp_unix: Math.floor(at / 1_000),
      ...reasonView(why ?? undefined),
    },
  };
}
