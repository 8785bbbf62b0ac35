import type { DailyUsage, MessageRecord, MessageState, SendingState } from '@parley/contract';
import type { OwnedNumber } from '#http';
import { messageIdAt } from '#kernel';
import type { Store } from '#store';
import { accountUse, numberUse } from './accept/ledger.ts';
import { type Allowance, rateNotice } from './accept/limits.ts';
import { publicRecord } from './records.ts';

type Readable = Pick<Store, 'read'>;

export interface MessageQuery {
  readonly status?: MessageState | undefined;
  /** A message id: only older ones. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** What a number has sent, newest first. */
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

/** How much a number may send right now, and what still waits. */
export async function sendingStateOf(
  { read }: Readable,
  { accountId, slotId }: OwnedNumber,
  { sendsPerMinute, now }: Allowance & { readonly now: number },
): Promise<SendingState> {
  const [used, account, queue] = await Promise.all([
    read.selectFrom('send_limits').selectAll().where('slot_id', '=', slotId).executeTakeFirst(),
    read.selectFrom('account_limits').selectAll().where('account_id', '=', accountId).executeTakeFirst(),
    read
      .selectFrom('outbox')
      .select((e) => e.fn.countAll<number>().as('waiting'))
      .where('slot_id', '=', slotId)
      .executeTakeFirst(),
  ]);
  const use = numberUse(used);
  const rate = rateNotice(use, accountUse(account), { sendsPerMinute }, now);
  const { pausedUntil } = use;
  return {
    per_minute: sendsPerMinute,
    remaining: pausedUntil > now ? 0 : rate.remaining,
    reset_seconds: rate.resetSeconds,
    consecutive: use.runLength,
    paused_until_unix: pausedUntil > now ? Math.ceil(pausedUntil / 1_000) : null,
    queued: Number(queue?.waiting ?? 0),
  };
}

const DAY_MS = 86_400_000;
const LEFT_FOR_THE_NETWORK: readonly MessageState[] = ['sent', 'delivered', 'read', 'played'];
const ARRIVED: readonly MessageState[] = ['delivered', 'read', 'played'];

/** Messages of the given numbers by the day (UTC) on which they were accepted, oldest day first, today last. */
export async function dailyUsageOf(
  { read }: Readable,
  slotIds: readonly string[],
  { days, now }: { days: number; now: number },
): Promise<DailyUsage['days']> {
  const today = Math.floor(now / DAY_MS);
  const first = today - days + 1;
  const rows =
    slotIds.length === 0
      ? []
      : await read
          .selectFrom('messages')
          // As a literal: bound, it would be a fraction to SQLite, and so would the day.
          .select((e) => [e('accepted_at', '/', e.lit(DAY_MS)).as('day'), 'status'])
          .select((e) => e.fn.countAll<number>().as('count'))
          .where('slot_id', 'in', slotIds)
          .where('id', '>=', messageIdAt(first * DAY_MS))
          .groupBy(['day', 'status'])
          .execute();
  return Array.from({ length: days }, (_, index) => {
    const day = first + index;
    const ofDay = rows.filter((row) => Number(row.day) === day);
    const count = (states?: readonly MessageState[]): number =>
      ofDay
        .filter(({ status }) => states?.includes(status) ?? true)
        .reduce((sum, row) => sum + Number(row.count), 0);
    return {
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      accepted: count(),
      sent: count(LEFT_FOR_THE_NETWORK),
      delivered: count(ARRIVED),
      failed: count(['failed']),
    };
  });
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
