import {
  type EventOf,
  MESSAGE_STATES,
  type MessageLife,
  type MessageRecord,
  type MessageState,
} from '@parley/contract';
import { bodiesByKey } from '#events';
import { apiError } from '#kernel';
import { receiptsOf } from '#network';
import type { Caller } from '#platform/http';
import type { MessageRow, Store } from '#platform/store';
import { publicRecord } from '../message-queries.ts';
import { statusKey } from '../outbox/outcome.ts';
import { findRecord, type PlaceInQueue, placeInQueue } from './record-queries.ts';

export interface MessageTimeline {
  readonly record: MessageRecord;
  readonly slotId: string;
  readonly steps: MessageLife['steps'];
  /** Undefined when it waits no longer. */
  readonly queued: PlaceInQueue | undefined;
}

/** Steps of a message with their times, as far as they are still known. */
export async function timelineOf(
  store: Pick<Store, 'read' | 'dialect'>,
  { accountId }: Caller,
  messageId: string,
): Promise<MessageTimeline> {
  const row = await findRecord(store, accountId, messageId);
  if (!row) throw apiError('message_not_found');
  const [ended, receipts, queued] = await Promise.all([
    bodiesByKey(store, row.slot_id, statusKey(messageId)),
    bodiesByKey(store, row.slot_id, receiptsOf(messageId)),
    placeInQueue(store, row),
  ]);
  const steps = stepsOf(
    row,
    ended.map((body): EventOf<'status'> => JSON.parse(body)),
    receipts.map((body): EventOf<'receipt'> => JSON.parse(body)),
  );
  return { record: publicRecord(row), slotId: row.slot_id, steps, queued };
}

/** States that a state implies, published or not. */
const IMPLIED: Readonly<Record<MessageState, readonly MessageState[]>> = {
  accepted: [],
  failed: ['accepted'],
  sent: ['accepted'],
  delivered: ['accepted', 'sent'],
  read: ['accepted', 'sent', 'delivered'],
  played: ['accepted', 'sent', 'delivered'],
};

export function stepsOf(
  { status, accepted_at, updated_at }: Pick<MessageRow, 'status' | 'accepted_at' | 'updated_at'>,
  ended: readonly EventOf<'status'>[],
  receipts: readonly EventOf<'receipt'>[],
): MessageLife['steps'] {
  const times = new Map<MessageState, number>([['accepted', Math.floor(accepted_at / 1_000)]]);
  for (const each of [
    ...ended.map((event) => [event.status, event.timestamp_unix] as const),
    ...receipts.map((event) => [event.receipt_type, event.timestamp_unix] as const),
  ]) {
    const [state, at] = each;
    times.set(state, Math.min(at, times.get(state) ?? at));
  }
  // The last change is the newest state’s, unless its event has the exact time.
  if (!times.has(status)) times.set(status, Math.floor(updated_at / 1_000));
  const known = new Set<MessageState>([status, ...IMPLIED[status], ...times.keys()]);
  return MESSAGE_STATES.filter((state) => known.has(state)).map((state) => ({
    state,
    at_unix: times.get(state) ?? null,
    people: new Set(
      receipts.filter((event) => event.receipt_type === state).map((event) => event.recipient_jid),
    ).size,
  }));
}
