import { type ActivityPage, type EventKind, EXTENSION_NAMES } from '@parley/contract';
import { devicesOf } from '#accounts';
import { entriesBefore, formatCursor, type LogFilter, parseCursor } from '#event-log';
import type { Caller } from '#http';
import { fault } from '#kernel';
import type { PortalContext } from './context.ts';

type ActivityContext = Pick<PortalContext, 'store' | 'clock' | 'directory'>;

interface Selection {
  readonly phone?: string | undefined;
  readonly kind?: EventKind | undefined;
}

/** All numbers of the account, or the one that is asked for. */
export async function filterOf(
  { directory }: ActivityContext,
  { accountId }: Caller,
  { phone, kind }: Selection,
): Promise<LogFilter> {
  const extensions = EXTENSION_NAMES;
  if (phone === undefined) return { accountId, slotId: undefined, kind, extensions };
  const number = await directory.ownedNumber(accountId, phone);
  if (!number) throw fault('device_not_found');
  return { accountId, slotId: number.slotId, kind, extensions };
}

export async function listActivity(
  context: ActivityContext,
  caller: Caller,
  query: Selection & { before?: string | undefined; limit: number },
): Promise<ActivityPage['events']> {
  const filter = await filterOf(context, caller, query);
  const before = query.before === undefined ? undefined : parseCursor(query.before);
  const phones = await phonesOf(context, caller.accountId);
  const entries = await entriesBefore(context.store, filter, before, query.limit);
  return entries.map((entry) => ({
    event_id: entry.event_id,
    cursor: formatCursor(entry),
    phone: phones.get(entry.slot_id) ?? '',
    kind: entry.kind,
    at_unix: Math.floor(entry.at / 1_000),
    event: JSON.parse(entry.body),
  }));
}

/** By slot. */
async function phonesOf({ store }: ActivityContext, accountId: string): Promise<Map<string, string>> {
  const devices = await devicesOf(store.read, accountId);
  return new Map(devices.map(({ slot_id, phone }) => [slot_id, phone]));
}
