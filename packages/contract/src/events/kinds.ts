/** Which kinds of events there are, and to which of the four webhook URLs each goes. */

export const EVENT_CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

export const CATEGORY_OF_KIND = {
  message: 'messages',
  receipt: 'status',
  status: 'status',
  connection: 'connection',
  poll_vote: 'events',
  typing: 'events',
  presence: 'events',
  call: 'events',
  newsletter_message: 'events',
} as const satisfies Record<string, EventCategory>;

export type EventKind = keyof typeof CATEGORY_OF_KIND;

export const EVENT_KINDS = [
  'message',
  'receipt',
  'status',
  'connection',
  'poll_vote',
  'typing',
  'presence',
  'call',
  'newsletter_message',
] as const satisfies readonly EventKind[];

/** The field of a webhook configuration that holds the URL of a category. */
export const URL_FIELD_OF_CATEGORY = {
  messages: 'messages_url',
  status: 'status_url',
  connection: 'connection_url',
  events: 'events_url',
} as const satisfies Record<EventCategory, string>;
export type WebhookUrlField = (typeof URL_FIELD_OF_CATEGORY)[EventCategory];

/** Kinds too frequent and too fleeting to be kept in the delivery history. */
export const UNRECORDED_KINDS: ReadonlySet<EventKind> = new Set<EventKind>(['typing']);
