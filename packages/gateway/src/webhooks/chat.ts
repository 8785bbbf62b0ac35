import type { EventKind, EventOf, PublicEvent } from '@parley/contract';

/** The field that says in which chat it happened; null for what concerns the number as a whole. */
const CHAT_FIELDS: { readonly [K in EventKind]: keyof EventOf<K> | null } = {
  message: 'chat_jid',
  typing: 'chat_jid',
  poll_vote: 'chat_jid',
  status: 'to',
  receipt: 'recipient_jid',
  call: 'from_jid',
  presence: 'contact_jid',
  newsletter_message: 'newsletter_jid',
  connection: null,
};

/** What an event of a number has to keep its order with: its chat, or the number as a whole, which is empty. */
export function chatOf(event: PublicEvent): string {
  const field = CHAT_FIELDS[event.kind] as keyof PublicEvent | null;
  return field === null ? '' : event[field];
}
