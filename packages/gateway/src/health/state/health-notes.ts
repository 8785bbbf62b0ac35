import type { EventOf, HealthState } from '@parley/contract';
import { type PreparedEvent, plainEvent } from '#events/write-commands';
import type { NumberHealthRow } from '#platform/store';
import type { CountName } from '../counting/counts.ts';
import {
  changeBy,
  nextChange,
  numberHealthOf,
  numberHealthView,
  publicStateOf,
  recommendationFor,
  type Signal,
  unknownHealth,
} from './number-health.ts';

/** Signals about a number at a time. Plain data that crosses to the database thread. */
export interface HealthNote {
  readonly accountId: string;
  readonly slotId: string;
  /** Session id at that time. */
  readonly sessionId: string;
  readonly at: number;
  readonly signals: readonly SignalNote[];
  readonly counts?: readonly CountName[];
}

/** The creation time of a link is read where the note is written. */
export type SignalNote =
  | Exclude<Signal, { kind: 'connected' }>
  | Omit<Extract<Signal, { kind: 'connected' }>, 'linkedAt'>;

/** The changed row and its events. */
interface Noted {
  readonly row: NumberHealthRow;
  readonly isChanged: boolean;
  readonly event: PreparedEvent | undefined;
}

export function applyNote(
  before: NumberHealthRow | undefined,
  note: HealthNote,
  /** Creation time of a link that is new to the row. */
  linkedAt: (linkId: string) => number | undefined,
): Noted {
  const { at } = note;
  let row = before ?? unknownHealth(note, at);
  let isChanged = before === undefined;
  for (const signal of note.signals) {
    const whole =
      signal.kind === 'connected'
        ? { ...signal, linkedAt: row.link_id === signal.linkId ? 0 : (linkedAt(signal.linkId) ?? at) }
        : signal;
    for (const [column, value] of Object.entries(changeBy(row, whole, at)))
      if (row[column as keyof NumberHealthRow] !== value) {
        row = { ...row, [column]: value };
        isChanged = true;
      }
  }
  const standing = numberHealthOf(row, at);
  const published = publicStateOf(standing);
  const dueAt = nextChange(row, at);
  if (dueAt !== row.due_at) {
    row = { ...row, due_at: dueAt };
    isChanged = true;
  }
  if (published === row.published) return { row, isChanged, event: undefined };
  const previous = row.state;
  row = {
    ...row,
    published,
    version: row.version + 1,
    state: standing.state,
    since: standing.state === previous ? row.since : at,
  };
  return { row, isChanged: true, event: eventOf(row, previous, at) };
}

function eventOf(row: NumberHealthRow, previous: HealthState, at: number): PreparedEvent {
  const standing = numberHealthOf(row, at);
  const event: EventOf<'health'> = {
    kind: 'health',
    session_id: row.session_id,
    previous_state: previous,
    ...numberHealthView(row, standing, at),
    advice: recommendationFor(row, standing, at),
    timestamp_unix: Math.floor(at / 1_000),
  };
  return plainEvent({
    accountId: row.account_id,
    slotId: row.slot_id,
    key: `health ${row.slot_id} ${row.version}`,
    at,
    event,
  });
}
