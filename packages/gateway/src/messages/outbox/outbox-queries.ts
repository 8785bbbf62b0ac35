import type { AccountStatus, DeviceStatus, NewChatWarning } from '@parley/contract';
import { sql } from 'kysely';
import { countOfAsking } from '#events';
import { compiledOnce, type Store } from '#platform/store';
import type { EndingMessage, SentMessage } from './outcome.ts';

/** A message that waits in the outbox. */
export interface QueuedMessage extends SentMessage {
  readonly type: string;
  readonly attempts: number;
  readonly due_at: number;
  /** Before this time its number sends nothing; null: nothing holds the number. */
  readonly number_due_at: number | null;
  readonly accepted_at: number;
  readonly account_status: AccountStatus;
  readonly device_status: DeviceStatus;
  /** Pacing configured for its number; null: none. */
  readonly pacing: string | null;
  readonly lock_until: number | null;
  readonly paused_until: number | null;
  readonly quota_ends: number | null;
  readonly quota_warning: NewChatWarning | null;
  /** When its recipient was first reached, and first answered. */
  readonly reached_at: number | null;
  readonly answered_at: number | null;
  /** Of the message behind it in the queue; null: it was the last. */
  readonly next_seq: number | null;
}

/** The first message in a number's queue, and whether the number may send now. */
export async function firstQueued(store: Store, slotId: string): Promise<QueuedMessage | undefined> {
  const [first] = await compiledFirst(store.read, slotId);
  return first;
}

const compiledFirst = compiledOnce<QueuedMessage>((read, slotId) => wholeOf({ read }, slotId));

/** The same for a message further back; undefined when it has left the queue. */
export function stillQueued(
  store: Store,
  { slot_id, seq }: Pick<QueuedMessage, 'slot_id' | 'seq'>,
): Promise<QueuedMessage | undefined> {
  return wholeOf(store, slot_id).where('seq', '=', seq).executeTakeFirst();
}

/** Messages behind one in the queue, without their content. */
export function queuedBehind(
  store: Store,
  { slot_id, seq }: Pick<QueuedMessage, 'slot_id' | 'seq'>,
  count: number,
) {
  return withRecipient(waitingOf(store, slot_id))
    .where('seq', '>', seq)
    .select(['type', 'attempts', 'outbox.due_at'])
    .limit(count)
    .execute();
}

function wholeOf(store: Pick<Store, 'read'>, slotId: string) {
  return withRecipient(waitingOf(store, slotId))
    .leftJoin('number_health', 'number_health.slot_id', 'outbox.slot_id')
    .select(['pacing', 'lock_until', 'paused_until', 'quota_ends', 'quota_warning'])
    .innerJoin('accounts', 'accounts.id', 'messages.account_id')
    .innerJoin('devices', 'devices.slot_id', 'outbox.slot_id')
    .select(['type', 'sealed', 'attempts', 'outbox.due_at', 'accepted_at'])
    .select(countOfAsking('outbox.slot_id', 'own_messages').as('asking'))
    .select(['accounts.status as account_status', 'devices.status as device_status'])
    .select(({ selectFrom }) =>
      selectFrom('outbox as holding')
        .whereRef('holding.slot_id', '=', 'outbox.slot_id')
        // As a literal, so that the planner may use the partial index.
        .where('holding.holds_number', '=', sql.lit(1))
        .select(({ fn }) => fn.max<number | null>('holding.due_at').as('due_at'))
        .as('number_due_at'),
    )
    .select(({ selectFrom }) =>
      selectFrom('outbox as behind')
        .whereRef('behind.slot_id', '=', 'outbox.slot_id')
        .whereRef('behind.seq', '>', 'outbox.seq')
        .select('behind.seq')
        .orderBy('behind.seq')
        .limit(1)
        .as('next_seq'),
    )
    .limit(1);
}

/** The first messages of a number's queue, without their content. */
export function firstEndings(store: Store, slotId: string, count: number): Promise<EndingMessage[]> {
  return waitingOf(store, slotId).limit(count).execute();
}

/** A message of a number's queue; undefined when it has left it. */
export function findQueued(
  store: Store,
  slotId: string,
  messageId: string,
): Promise<(SentMessage & Pick<QueuedMessage, 'accepted_at'>) | undefined> {
  return waitingOf(store, slotId)
    .select(['sealed', 'accepted_at'])
    .select(countOfAsking('outbox.slot_id', 'own_messages').as('asking'))
    .where('message_id', '=', messageId)
    .limit(1)
    .executeTakeFirst();
}

/** Whether a number is still hosted under this fence. */
export async function isHost(store: Store, slotId: string, fence: number): Promise<boolean> {
  const session = store.read.selectFrom('sessions').select('fence').where('slot_id', '=', slotId);
  return (await session.executeTakeFirst())?.fence === fence;
}

/** Adds the history between the number and the recipient. */
function withRecipient(query: ReturnType<typeof waitingOf>) {
  return query
    .leftJoin('known_people', (join) =>
      join
        .onRef('known_people.slot_id', '=', 'outbox.slot_id')
        .onRef('known_people.person', '=', 'messages.to_jid'),
    )
    .select(['reached_at', 'answered_at']);
}

function waitingOf(store: Pick<Store, 'read'>, slotId: string) {
  return store.read
    .selectFrom('outbox')
    .innerJoin('messages', 'messages.id', 'outbox.message_id')
    .select([
      'outbox.slot_id',
      'seq',
      'message_id',
      'messages.account_id',
      'messages.session_id',
      'request_id',
      'to_jid',
    ])
    .where('outbox.slot_id', '=', slotId)
    .orderBy('seq');
}

const SLOTS_PER_QUERY = 500;

/** Those of these numbers that have a message to send. One probe a number, however long its queue is. */
export async function withSomethingToSend(store: Store, slotIds: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < slotIds.length; from += SLOTS_PER_QUERY) {
    const rows = await store.read
      .selectFrom('send_limits')
      .select('send_limits.slot_id')
      // Every number that ever sent has a row of limits.
      .where('send_limits.slot_id', 'in', slotIds.slice(from, from + SLOTS_PER_QUERY))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('outbox').select('outbox.seq').whereRef('outbox.slot_id', '=', 'send_limits.slot_id'),
        ),
      )
      .execute();
    found.push(...rows.map(({ slot_id }) => slot_id));
  }
  return found;
}

/**
 * Numbers with messages to send and no link. Skips from queue to queue in the index: its cost grows neither with idle
 * numbers nor with the length of a queue.
 */
export async function unlinkedWithSomethingToSend(store: Store, count: number): Promise<string[]> {
  const rows = await store.read
    .withRecursive('queue(slot_id)', (db) =>
      db
        .selectFrom('outbox')
        .select(({ fn }) => fn.min<string | null>('outbox.slot_id').as('slot_id'))
        .unionAll(
          db
            .selectFrom('queue')
            .where('queue.slot_id', 'is not', null)
            .select(({ selectFrom }) =>
              selectFrom('outbox')
                .whereRef('outbox.slot_id', '>', 'queue.slot_id')
                .select(({ fn }) => fn.min<string | null>('outbox.slot_id').as('slot_id'))
                .as('slot_id'),
            ),
        ),
    )
    .selectFrom('queue')
    .select('queue.slot_id')
    .where('queue.slot_id', 'is not', null)
    // As a value rather than by `exists`, which PostgreSQL would answer by reading all sessions.
    .where(
      ({ fn, selectFrom, val }) =>
        fn.coalesce(
          selectFrom('sessions')
            .select('sessions.status')
            .whereRef('sessions.slot_id', '=', 'queue.slot_id')
            .$asScalar(),
          val('logged_out' as const),
        ),
      '=',
      'logged_out',
    )
    .limit(count)
    .execute();
  return rows.flatMap(({ slot_id }) => slot_id ?? []);
}
