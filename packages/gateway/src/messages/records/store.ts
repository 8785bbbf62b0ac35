import type { MessageState } from '@parley/contract';
import { messageIdAt } from '#kernel';
import { containsText, type MessageRow, type Store } from '#store';

type Readable = Pick<Store, 'read'>;

export interface MessageFilter {
  readonly status?: MessageState | undefined;
  /** What stands in whom they went to, in their id or in the Idempotency-Key of their send. */
  readonly search?: string | undefined;
  /** Epoch milliseconds; the end does not belong to it. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** A message id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** So many messages are looked at for one page at most, however few of them fit. */
const LOOKED_AT = 20_000;
/** Of each number at least, when there are very many. */
const LOOKED_AT_EACH = 20;
const SEARCHED = ['id', 'to_jid', 'request_id'];
/** Behind all ids. */
const END = '\uffff';

/**
 * What several numbers have sent, newest first. Each number has its place in the index, so the page ends where the first of them has been looked
 * at far enough: everything newer than that is known of all. `next` is null when nothing older is left.
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

/** Where so many messages are certain to be found, all numbers together, and hardly more; undefined when there may be fewer. */
function endOfFullPage(
  read: Store['read'],
  slotIds: readonly string[],
  range: IdRange,
  limit: number,
): Promise<string | undefined> {
  const each = Math.ceil(limit / slotIds.length);
  return newestOf(read, slotIds, { ...range, each, rank: Math.ceil(limit / each) });
}

/** Of the ids that stand in this place of each number, newest first, the one of this rank. */
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

/** One message of the account; undefined when there is none. */
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
  /** The end of the number’s cooldown, in the past mostly. */
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
