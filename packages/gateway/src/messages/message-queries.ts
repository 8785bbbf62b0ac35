import { type MessageRecord, type MessageState, parseSessionId, type SendingState } from '@parley/contract';
import { apiError } from '#kernel';
import { type Caller, type OwnedNumber, requireReach } from '#platform/http';
import type { MessageRow, Store } from '#platform/store';
import { accountUse, numberUse } from './accept/ledger.ts';
import { type AccountUse, type Allowance, type NumberUse, rateNotice, runLengthAt } from './accept/limits.ts';

type Readable = Pick<Store, 'read'>;

/** State of a message, without content. */
export async function findMessage(
  { read }: Readable,
  caller: Caller,
  messageId: string,
): Promise<MessageRecord> {
  const row = await read
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  if (!row) throw apiError('message_not_found');
  requireReach(caller, parseSessionId(row.session_id)?.phone);
  return publicRecord(row);
}

/** States of these messages; unknown ids are left out. */
export async function statesOf(
  { read }: Readable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageState>> {
  const rows = await read.selectFrom('messages').select(['id', 'status']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

export function publicRecord(row: MessageRow): MessageRecord {
  const left = row.status !== 'accepted' && row.status !== 'failed';
  return {
    message_id: row.id,
    request_id: row.request_id,
    session_id: row.session_id,
    to: row.to_jid,
    type: row.type,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(left ? { network_message_id: row.id } : {}),
    accepted_at_unix: Math.floor(row.accepted_at / 1_000),
    updated_at_unix: Math.floor(row.updated_at / 1_000),
  };
}

export interface MessageQuery {
  readonly status?: MessageState | undefined;
  /** A message id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Sent messages of a number, newest first. */
export async function messagesOf(
  { read }: Readable,
  { slotId }: OwnedNumber,
  { status, before, limit }: MessageQuery,
): Promise<MessageRecord[]> {
  let query = read.selectFrom('messages').selectAll().where('slot_id', '=', slotId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(publicRecord);
}

/** Use of the limits by a number and its account. */
export async function usedBy(
  { read }: Readable,
  { accountId, slotId }: OwnedNumber,
): Promise<{ readonly ofNumber: NumberUse; readonly ofAccount: AccountUse }> {
  const [number, account] = await Promise.all([
    read.selectFrom('send_limits').selectAll().where('slot_id', '=', slotId).executeTakeFirst(),
    read.selectFrom('account_limits').selectAll().where('account_id', '=', accountId).executeTakeFirst(),
  ]);
  return { ofNumber: numberUse(number), ofAccount: accountUse(account) };
}

/** Remaining rate and queue of each of an account's numbers, by slot, in one query. */
export async function sendingStatesOf(
  { read }: Readable,
  accountId: string,
  numbers: readonly (Allowance & { readonly slotId: string })[],
  now: number,
): Promise<ReadonlyMap<string, SendingState>> {
  const slotIds = numbers.map(({ slotId }) => slotId);
  if (slotIds.length === 0) return new Map();
  const [limits, account, queues] = await Promise.all([
    read.selectFrom('send_limits').selectAll().where('slot_id', 'in', slotIds).execute(),
    read.selectFrom('account_limits').selectAll().where('account_id', '=', accountId).executeTakeFirst(),
    read
      .selectFrom('outbox')
      .select((e) => ['slot_id', e.fn.countAll<number>().as('waiting')])
      .where('slot_id', 'in', slotIds)
      .groupBy('slot_id')
      .execute(),
  ]);
  const limitsOf = new Map(limits.map((row) => [row.slot_id, row]));
  const waiting = new Map(queues.map((row) => [row.slot_id, Number(row.waiting)]));
  return new Map(
    numbers.map(({ slotId, sendsPerMinute }) => {
      const use = numberUse(limitsOf.get(slotId));
      const state = sendingState(use, accountUse(account), { sendsPerMinute }, now);
      return [slotId, { ...state, queued: waiting.get(slotId) ?? 0 }];
    }),
  );
}

function sendingState(
  ofNumber: NumberUse,
  ofAccount: AccountUse,
  allowance: Allowance,
  now: number,
): Omit<SendingState, 'queued'> {
  const rate = rateNotice(ofNumber, ofAccount, allowance, now);
  const { pausedUntil } = ofNumber;
  return {
    per_minute: allowance.sendsPerMinute,
    remaining: pausedUntil > now ? 0 : rate.remaining,
    reset_seconds: rate.resetSeconds,
    consecutive: runLengthAt(ofNumber, now),
    paused_until_unix: pausedUntil > now ? Math.ceil(pausedUntil / 1_000) : null,
  };
}

/** Of all numbers. */
export async function outboxDepth({ read }: Readable): Promise<{ waiting: number; oldestAt: number | null }> {
  const depth = await read
    .selectFrom('outbox')
    .select((e) => [e.fn.countAll<number>().as('waiting'), e.fn.min('message_id').as('oldest')])
    .executeTakeFirst();
  const oldest = depth?.oldest
    ? await read
        .selectFrom('messages')
        .select('accepted_at')
        .where('id', '=', depth.oldest)
        .executeTakeFirst()
    : undefined;
  return { waiting: Number(depth?.waiting ?? 0), oldestAt: oldest?.accepted_at ?? null };
}

/** A large backlog need not be exact, and counting must not cost more the larger it is. */
const COUNTED_UP_TO = 20_000;

/** The same at a bounded cost, for frequent calls. */
export async function outboxBacklog({
  read,
}: Readable): Promise<{ waiting: number; oldestAt: number | null }> {
  const waiting = read.selectFrom('outbox').select('message_id').limit(COUNTED_UP_TO);
  const found = await read
    .selectFrom(waiting.as('waiting'))
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('message_id').as('oldest')])
    .executeTakeFirst();
  const oldest = found?.oldest
    ? await read
        .selectFrom('messages')
        .select('accepted_at')
        .where('id', '=', found.oldest)
        .executeTakeFirst()
    : undefined;
  return { waiting: Number(found?.count ?? 0), oldestAt: oldest?.accepted_at ?? null };
}

/** When a message of this number was accepted; undefined for messages of others. */
export async function acceptedAt(
  { read }: Readable,
  slotId: string,
  messageId: string,
): Promise<number | undefined> {
  const own = read.selectFrom('messages').select('accepted_at').where('id', '=', messageId);
  return (await own.where('slot_id', '=', slotId).executeTakeFirst())?.accepted_at;
}

/** The request that a key was used for. */
export function findIdempotencyKey({ read }: Readable, accountId: string, key: string) {
  return read
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'message_id', 'created_at'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Deletes some of the keys used before then; returns their count. */
export function dropIdempotencyKeys(store: Store, before: number, count: number): Promise<number> {
  return store.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, selectFrom }) => {
        const old = selectFrom('idempotency_keys')
          .select(['account_id', 'key'])
          .where('created_at', '<=', before)
          .limit(count);
        return eb(refTuple('account_id', 'key'), 'in', old.$asTuple('account_id', 'key'));
      })
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
