/** Every kind of event, with all that is known of it beside its schema. */

/** Each has its own URL in the configuration of a webhook. */
export const EVENT_CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

interface EventTraits {
  readonly category: EventCategory;
  /** The field that says in which chat it happened; null for what concerns the number as a whole. */
  readonly chat: string | null;
  /** Too frequent and too fleeting to be kept in the delivery history. */
  readonly unrecorded?: true;
}

/** In the order of the documentation. `schemas.ts` must have a schema for each, or it does not compile. */
export const EVENTS = {
  message: { category: 'messages', chat: 'chat_jid' },
  receipt: { category: 'status', chat: 'recipient_jid' },
  status: { category: 'status', chat: 'to' },
  connection: { category: 'connection', chat: null },
  poll_vote: { category: 'events', chat: 'chat_jid' },
  typing: { category: 'events', chat: 'chat_jid', unrecorded: true },
  presence: { category: 'events', chat: 'contact_jid' },
  call: { category: 'events', chat: 'from_jid' },
  newsletter_message: { category: 'events', chat: 'newsletter_jid' },
} as const satisfies Record<string, EventTraits>;
export type EventKind = keyof typeof EVENTS;

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];
export const UNRECORDED_KINDS: ReadonlySet<EventKind> = new Set(
  EVENT_KINDS.filter((kind) => 'unrecorded' in EVENTS[kind]),
);

export function eventKindsOf(category: EventCategory): EventKind[] {
  return EVENT_KINDS.filter((kind) => EVENTS[kind].category === category);
}

/** The field of a webhook configuration that holds the URL of a category. */
export const URL_FIELD_OF_CATEGORY = {
  messages: 'messages_url',
  status: 'status_url',
  connection: 'connection_url',
  events: 'events_url',
} as const satisfies Record<EventCategory, string>;
export type WebhookUrlField = (typeof URL_FIELD_OF_CATEGORY)[EventCategory];
