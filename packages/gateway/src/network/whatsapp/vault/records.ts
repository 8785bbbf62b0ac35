import { BufferJSON, proto, type SignalDataSet } from 'baileys';
import {
  type Clock,
  DAY_MS,
  HOUR_MS,
  type LineLog,
  type PeriodicJob,
  type SealedBox,
  startPeriodicJob,
} from '#kernel';
import type { PollContent } from '../../content.ts';
import type { LinkStore } from './link-queries.ts';
import type { RecordName } from './write-commands.ts';

/** Seals rows of one link. The row's name is authenticated: a box copied to another row or link does not open. */
export interface RecordSeal {
  seal(name: RecordName, text: string): Uint8Array;
  open(name: RecordName, sealed: Uint8Array): string;
}

export function createRecordSeal(sealedBox: SealedBox, linkId: string): RecordSeal {
  return {
    seal: (name, text) => sealedBox.seal(Buffer.from(text), contextOfRecord(linkId, name)),
    open: (name, sealed) => Buffer.from(sealedBox.open(sealed, contextOfRecord(linkId, name))).toString(),
  };
}

export function contextOfRecord(linkId: string, { kind, id }: RecordName): string {
  return `network/${linkId}/${kind}/${id}`;
}

/** Row of a link's credentials. */
export const CREDS: RecordName = { kind: 'creds', id: '' };

/** Encoding of bytes in the text of a record. */
const BUFFER_MARK = '{"type":"Buffer"';

export function encodeRecord(value: unknown): string {
  return JSON.stringify(value, BufferJSON.replacer);
}

export function decodeRecord(kind: string, text: string): unknown {
  // Ratchets, the largest and most read records, hold their keys as text, so they need no reviver.
  const value: unknown = text.includes(BUFFER_MARK) ? JSON.parse(text, BufferJSON.reviver) : JSON.parse(text);
  // The library calls methods of this one kind, which plain JSON has lost.
  return kind === 'app-state-sync-key' && typeof value === 'object' && value !== null
    ? proto.Message.AppStateSyncKeyData.fromObject(value)
    : value;
}

/** Kinds of secrets: of messages that people update for a short time, and of polls and events. */
export const SECRET = 'secret';
export const LASTING_SECRET = 'lasting-secret';

/**
 * Retention by kind; other records live as long as their link. A message can be requested again for a week. It can be
 * edited for 20 minutes, and an edit can wait on the network while the number is offline. A poll can be voted in for
 * half a year; an account may change the spelling of its number, and a number its owner.
 */
const LIFE_MS: ReadonlyMap<string, number> = new Map([
  ['sent', 7 * DAY_MS],
  [SECRET, 7 * DAY_MS],
  [LASTING_SECRET, 180 * DAY_MS],
  ['spelling', 30 * DAY_MS],
  ['number-checks', DAY_MS],
]);

/** Bounds by number for kinds that other people add to, beside the time: the oldest go first. */
const MOST_OF_A_LINK = [
  [SECRET, 20_000],
  [LASTING_SECRET, 5_000],
] as const;

export function expiryOf(kind: string, now: number): number | null {
  const life = LIFE_MS.get(kind);
  return life === undefined ? null : now + life;
}

/** Kind of arrivals inside a batch of the library's keys; also the kind that they are sealed under. */
export const ARRIVAL = 'arrival';

/** A new entry for the journal. */
export interface ArrivalDraft {
  readonly digest: string;
  readonly eventKey: string | null;
  readonly seq: number;
  readonly value: unknown;
}

/** Changes of one transaction of a vault. */
export interface Change {
  readonly puts?: readonly (RecordName & { readonly value: unknown })[];
  readonly deletes?: readonly RecordName[];
  readonly arrivals?: readonly ArrivalDraft[];
  readonly taken?: readonly string[];
}

/** A batch of the library's keys, with journal arrivals as one more kind. */
export type KeyBatch = SignalDataSet & {
  readonly [ARRIVAL]?: Readonly<Record<string, ArrivalDraft>>;
  readonly [SECRET]?: Readonly<Record<string, MessageSecret>>;
  readonly [LASTING_SECRET]?: Readonly<Record<string, MessageSecret>>;
};

export interface MessageSecret {
  readonly secret: Uint8Array;
  /** The author under each known address. */
  readonly authors: readonly string[];
  readonly poll?: PollContent;
}

export function toChange({ [ARRIVAL]: arrivals, ...kinds }: KeyBatch): Change {
  const entries = Object.entries(kinds).flatMap(([kind, values]) =>
    Object.entries(values ?? {}).map(([id, value]) => ({ kind, id, value })),
  );
  return {
    puts: entries.filter(({ value }) => value !== null),
    deletes: entries.filter(({ value }) => value === null),
    arrivals: Object.values(arrivals ?? {}),
  };
}

/** Copies of a processed arrival no longer come after this time. */
const TRACES_KEPT_MS = 7 * 24 * HOUR_MS;
const SWEPT_AT_ONCE = 1_000;

/** Deletes the expired rows of all links, and those above a link's bounds, every hour and in batches. */
export function dropOldRecords({
  links,
  clock,
  log,
}: {
  links: Pick<LinkStore, 'sweep' | 'trim'>;
  clock: Clock;
  log: LineLog<'debug' | 'warn'>;
}): PeriodicJob {
  return startPeriodicJob({
    ...{ clock, firstAfterMs: HOUR_MS, everyMs: HOUR_MS },
    log: {
      debug: (details, message) => log.debug(details, message),
      error: (details, message) => log.warn(details, message),
    },
    name: 'link-record-retention',
    async work(stopping) {
      const now = clock.now();
      const over = { now, takenBefore: now - TRACES_KEPT_MS, limit: SWEPT_AT_ONCE };
      while (!stopping.aborted && (await links.sweep(over)));
      for (const [kind, most] of MOST_OF_A_LINK)
        while (!stopping.aborted && (await links.trim({ kind, most, limit: SWEPT_AT_ONCE })));
    },
  });
}
