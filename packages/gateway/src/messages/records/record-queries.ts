import type { MessageState } from '@parley/contract';
import { messageIdAt } from '#kernel';
import { containsText, type MessageRow, type Store } from '#platform/store';

type Readable = Pick<Store, 'read'>;

export interface MessageFilter {
  readonly status?: MessageState | undefined;
  /** Part of the recipient, of the id or of the send's Idempotency-Key. */
  readonly search?: string | undefined;
  /** Epoch milliseconds; the end is exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** A message id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Upper bound of messages scanned for one page, however few of them match. */
const LOOKED_AT = 20_000;
/** Lower bound for each number, when there are very many. */
const LOOKED_AT_EACH = 20;
const SEARCHED = ['id', 'to_jid', 'request_id'];
/** Sorts after all ids. */
const END = '\uffff';

/**
 * Sent messages of several numbers, newest first. Each number is scanned along the index, so the page ends where the
 * first of them ran out of its share: everything newer is complete for all. `next` is null when nothing older is
 * left.
 */
export async function searchSent(
  { read }: Readable,
  slotIds: readonly string[],
  filter: MessageFilter,
): Promise<{ rows: MessageRow[]; next: string | null }> {
  if (slotIds.length === 0) return { rows: [], next: null };
  const { status, search, limit } = filter;
  const isNarrowed = status !== undefined || search !== undefined;
  const range = {
    before: olderOf(filter.before ?? END, filter.until === undefined ? END : messageIdAt(filter.until)),
    oldest: filter.from === undefined ? '' : messageIdAt(filter.from),
  };
  const each = isNarrowed ? Math.max(LOOKED_AT_EACH, Math.ceil(LOOKED_AT / slotIds.length)) : limit;
  const end =
    (isNarrowed ? undefined : await endOfFullPage(read, slotIds, range, limit)) ??
    (await newestOf(read, slotIds, { ...range, each, rank: 1 }));
  const rows = await read
    .selectFrom('messages')
    .selectAll()
    .where('slot_id', 'in', slotIds)
    .where('id', '<', range.before)
    .where('id', '>=', end ?? range.oldest)
    .$if(status !== undefined, (query) => query.where('status', '=', status as MessageState))
    .$if(search !== undefined, (query) => query.where(containsText(SEARCHED, search as string)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const isFull = rows.length === limit;
  return { rows, next: isFull ? (rows.at(-1)?.id ?? null) : (end ?? null) };
}

interface IdRange {
  readonly before: string;
  readonly oldest: string;
}

/**
 * Id from which on at least this many messages are certain to exist, all numbers together; undefined when there may
 * be fewer.
 */
function endOfFullPage(
  read: Store['read'],
  slotIds: readonly string[],
  range: IdRange,
  limit: number,
): Promise<string | undefined> {
  const each = Math.ceil(limit / slotIds.length);
  return newestOf(read, slotIds, { ...range, each, rank: Math.ceil(limit / each) });
}

/** The id of this rank among the ids at this position of each number, newest first. */
async function newestOf(
  read: Store['read'],
  slotIds: readonly string[],
  { before, oldest, each, rank }: IdRange & { each: number; rank: number },
): Promise<string | undefined> {
  const found = await read
    .selectFrom((e) =>
      e
        .selectFrom('devices')
        .select(({ selectFrom }) =>
          selectFrom('messages')
            .select('id')
            .whereRef('messages.slot_id', '=', 'devices.slot_id')
            .where('id', '<', before)
            .where('id', '>=', oldest)
            .orderBy('id', 'desc')
            .limit(1)
            .offset(each - 1)
            .as('id'),
        )
        .where('slot_id', 'in', slotIds)
        .as('places'),
    )
    .select('id')
    .where('id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(rank - 1)
    .executeTakeFirst();
  return found?.id ?? undefined;
}

const olderOf = (one: string, other: string): string => (one < other ? one : other);

/** A message of the account; undefined when there is none. */
export function findRecord(
  { read }: Readable,
  accountId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  return read
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export interface PlaceInQueue {
  readonly ahead: number;
  readonly attempts: number;
  readonly dueAt: number;
  /** End of the number’s cooldown, mostly in the past. */
  readonly pausedUntil: number;
}

/** Undefined when it waits no longer. */
export async function placeInQueue(
  { read }: Readable,
  { slot_id, id }: MessageRow,
): Promise<PlaceInQueue | undefined> {
  const found = await read
    .selectFrom('outbox')
    .leftJoin('send_limits', 'send_limits.slot_id', 'outbox.slot_id')
    .select(['seq', 'attempts', 'due_at', 'paused_until'])
    .where('outbox.slot_id', '=', slot_id)
    .where('message_id', '=', id)
    .executeTakeFirst();
  if (!found) return undefined;
  const before = await read
    .selectFrom('outbox')
    .select((e) => e.fn.countAll<number>().as('ahead'))
    .where('slot_id', '=', slot_id)
    .where('seq', '<', found.seq)
    .executeTakeFirstOrThrow();
  return {
    ahead: Number(before.ahead),
    attempts: found.attempts,
    dueAt: found.due_at,
    pausedUntil: found.paused_until ?? 0,
  };
}
