import {
  type EventDetail,
  type EventOf,
  type MessageDirection,
  type MessageEntry,
  type MessageLife,
  type MessagePage,
  type MessageState,
  phoneOf,
  type WaitCause,
} from '@parley/contract';
import { devicesOf } from '#accounts';
import { eventAt, formatCursor, parseCursor, searchReceived } from '#events';
import { apiError } from '#kernel';
import { type PlaceInQueue, searchSent, timelineOf } from '#messages';
import type { Caller } from '#platform/http';
import { deliveriesOfEvent } from '#webhooks';
import type { PortalContext } from './context.ts';

type MessagesContext = Pick<PortalContext, 'store' | 'clock' | 'states' | 'webhooks'>;

interface Search {
  readonly direction: MessageDirection;
  readonly phone?: string | undefined;
  readonly status?: MessageState | undefined;
  readonly search?: string | undefined;
  readonly from_unix?: number | undefined;
  readonly to_unix?: number | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

export async function searchMessages(
  { store }: MessagesContext,
  { accountId }: Caller,
  { direction, phone, status, search: text, from_unix, to_unix, before, limit }: Search,
): Promise<MessagePage> {
  const phones = await phonesOf(store, accountId, phone);
  const search = text === undefined || text.trim() === '' ? undefined : searched(text.trim());
  const range = {
    search,
    from: from_unix && from_unix * 1_000,
    until: to_unix && (to_unix + 1) * 1_000,
    limit,
  };
  if (direction === 'out') {
    const { rows, next } = await searchSent(store, [...phones.keys()], { ...range, status, before });
    const messages = rows.map((row) => ({
      cursor: row.id,
      message_id: row.id,
      phone: phones.get(row.slot_id) ?? '',
      with: row.to_jid,
      type: row.type,
      status: row.status,
      at_unix: Math.floor(row.accepted_at / 1_000),
    }));
    return { messages, next };
  }
  const [slotId] = phone === undefined ? [] : phones.keys();
  const position = before === undefined ? undefined : parseCursor(before);
  const { rows, next } = await searchReceived(store, { ...range, accountId, slotId, before: position });
  const messages = rows.map((row): MessageEntry => {
    const event: EventOf<'message'> = JSON.parse(row.body);
    return {
      cursor: formatCursor(row),
      message_id: event.message_id,
      phone: phones.get(row.slot_id) ?? '',
      with: event.is_group ? event.chat_jid : (event.sender_phone ?? event.sender_jid),
      type: event.type,
      status: null,
      at_unix: Math.floor(row.at / 1_000),
    };
  });
  return { messages, next: next && formatCursor(next) };
}

const PHONE = /^\+?[\d\s().-]{3,}$/;

/** Number as it is stored: without spaces. */
function searched(text: string): string {
  return PHONE.test(text) ? text.replace(/\D/g, '') : text;
}

export async function messageLife(
  context: MessagesContext,
  caller: Caller,
  messageId: string,
): Promise<MessageLife> {
  const { store, webhooks } = context;
  const { record, slotId, steps, queued } = await timelineOf(store, caller, messageId);
  const phone = (await phonesOf(store, caller.accountId)).get(slotId) ?? phoneOf(record.session_id) ?? '';
  return {
    ...record,
    phone,
    steps,
    waiting: queued
      ? {
          cause: await waitReason(context, slotId, queued),
          ahead: queued.ahead,
          attempts: queued.attempts,
          due_at_unix: Math.floor(queued.dueAt / 1_000),
        }
      : null,
    deliveries: await deliveriesOfEvent(webhooks, caller, phone, messageId),
  };
}

async function waitReason(
  { clock, states }: MessagesContext,
  slotId: string,
  { attempts, dueAt, pausedUntil }: PlaceInQueue,
): Promise<WaitCause> {
  const session = await states.find(slotId);
  if (!session || session.status === 'logged_out') return 'not_linked';
  if (session.status !== 'connected') return 'not_connected';
  const now = clock.now();
  if (pausedUntil > now) return 'cooldown';
  if (dueAt <= now) return 'turn';
  return attempts > 0 ? 'retry' : 'paced';
}

export async function getEvent(
  { store, webhooks }: MessagesContext,
  caller: Caller,
  cursor: string,
): Promise<EventDetail> {
  const entry = await eventAt(store, caller.accountId, parseCursor(cursor));
  if (!entry) throw apiError('event_not_found');
  const phone = (await phonesOf(store, caller.accountId)).get(entry.slot_id) ?? '';
  const found = await deliveriesOfEvent(webhooks, caller, phone, entry.event_id);
  return {
    event_id: entry.event_id,
    phone,
    kind: entry.kind,
    at_unix: Math.floor(entry.at / 1_000),
    event: JSON.parse(entry.body),
    deliveries: found.filter(({ event_id }) => event_id === entry.event_id),
  };
}

/** Phones by slot: all numbers of the account, or the requested one. */
export async function phonesOf(
  { read }: PortalContext['store'],
  accountId: string,
  phone?: string,
): Promise<Map<string, string>> {
  const devices = await devicesOf(read, accountId);
  const chosen = devices.filter((device) => phone === undefined || device.phone === phone);
  if (phone !== undefined && chosen.length === 0) throw apiError('device_not_found');
  return new Map(chosen.map((device) => [device.slot_id, device.phone]));
}
