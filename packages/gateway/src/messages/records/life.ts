import {
  type EventOf,
  MESSAGE_STATES,
  type MessageLife,
  type MessageRecord,
  type MessageState,
} from '@parley/contract';
import { bodiesByKey } from '#event-log';
import type { Caller } from '#http';
import { fault } from '#kernel';
import { receiptsOf } from '#network';
import type { MessageRow, Store } from '#store';
import { statusKey } from '../outbox/outcome.ts';
import { publicRecord } from '../store.ts';
import { findRecord, type PlaceInQueue, placeInQueue } from './store.ts';

export interface LifeSoFar {
  readonly record: MessageRecord;
  readonly slotId: string;
  readonly steps: MessageLife['steps'];
  /** Undefined when it waits no longer. */
  readonly queued: PlaceInQueue | undefined;
}

/** What became of a message and when, as far as it is still known. */
export async function lifeOf(
  store: Pick<Store, 'read' | 'dialect'>,
  { accountId }: Caller,
  messageId: string,
): Promise<LifeSoFar> {
  const row = await findRecord(store, accountId, messageId);
  if (!row) throw fault('message_not_found');
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

/** Whoever has come so far has come through these, told or not. */
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
  const told = new Map<MessageState, number>([['accepted', Math.floor(accepted_at / 1_000)]]);
  for (const each of [
    ...ended.map((event) => [event.status, event.timestamp_unix] as const),
    ...receipts.map((event) => [event.receipt_type, event.timestamp_unix] as const),
  ]) {
    const [state, at] = each;
    told.set(state, Math.min(at, told.get(state) ?? at));
  }
  // The last change is the newest state’s, unless that was told more exactly.
  if (!told.has(status)) told.set(status, Math.floor(updated_at / 1_000));
  const known = new Set<MessageState>([status, ...IMPLIED[status], ...told.keys()]);
  return MESSAGE_STATES.filter((state) => known.has(state)).map((state) => ({
    state,
    at_unix: told.get(state) ?? null,
    people: new Set(
      receipts.filter((event) => event.receipt_type === state).map((event) => event.recipient_jid),
    ).size,
  }));
}
