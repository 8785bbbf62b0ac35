import type { EventOf, HealthState } from '@parley/contract';
import { type PreparedEvent, plainEvent } from '#event-log/write-commands';
import type { NumberHealthRow } from '#store';
import type { CountName } from '../counting/counts.ts';
import {
  adviceOn,
  changeBy,
  nextChange,
  type Signal,
  standingOf,
  standingView,
  toldOf,
  unknownHealth,
} from './standing.ts';

/** What was learned about a number at a time. Plain data that crosses to the database thread. */
export interface HealthNote {
  readonly accountId: string;
  readonly slotId: string;
  /** Of its link at that time. */
  readonly sessionId: string;
  readonly at: number;
  readonly signals: readonly SignalNote[];
  readonly counts?: readonly CountName[];
}

/** When a link was made is looked up where it is written down. */
export type SignalNote =
  | Exclude<Signal, { kind: 'connected' }>
  | Omit<Extract<Signal, { kind: 'connected' }>, 'linkedAt'>;

/** What follows for the row, and what the outside is told of it. */
interface Noted {
  readonly row: NumberHealthRow;
  readonly isChanged: boolean;
  readonly event: PreparedEvent | undefined;
}

export function applyNote(
  before: NumberHealthRow | undefined,
  note: HealthNote,
  /** Of a link that is new to the row. */
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
  const standing = standingOf(row, at);
  const told = toldOf(standing);
  const dueAt = nextChange(row, at);
  if (dueAt !== row.due_at) {
    row = { ...row, due_at: dueAt };
    isChanged = true;
  }
  if (told === row.told) return { row, isChanged, event: undefined };
  const previous = row.state;
  row = {
    ...row,
    told,
    version: row.version + 1,
    state: standing.state,
    since: standing.state === previous ? row.since : at,
  };
  return { row, isChanged: true, event: eventOf(row, previous, at) };
}

function eventOf(row: NumberHealthRow, previous: HealthState, at: number): PreparedEvent {
  const standing = standingOf(row, at);
  const event: EventOf<'health'> = {
    kind: 'health',
    session_id: row.session_id,
    previous_state: previous,
    ...standingView(row, standing, at),
    advice: adviceOn(row, standing, at),
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
