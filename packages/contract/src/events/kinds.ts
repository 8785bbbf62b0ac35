/** Every kind of event, with all that is known of it beside its schema. */

/** Each has its own URL in the configuration of a webhook. */
export const EVENT_CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

/**
 * What somebody may ask for beyond the specification: in `extensions` of a webhook, or of the query when events are read. Whoever asks
 * for nothing is told nothing of it. A name stands here once there is something behind it.
 */
export const EXTENSIONS = {
  own_messages:
    'messages that the number itself writes, with the phone, another linked device or through the API (`from_me`)',
  groups: 'who comes and goes in groups, and what is changed about them',
  chats: 'what the owner does with chats elsewhere: reads, archives, pins, mutes, deletes them',
  contacts:
    'new pictures and About texts of people whom the number knows, and phone numbers that become known of those who hid them',
  history: 'how the past of a number that keeps its conversations is taken in, when its phone sends it',
  health: 'changes of how the number stands with the network',
} as const satisfies Record<string, string>;
export type Extension = keyof typeof EXTENSIONS;
export const EXTENSION_NAMES = Object.keys(EXTENSIONS) as [Extension, ...Extension[]];

interface EventTraits {
  readonly category: EventCategory;
  /** The field that says in which chat it happened; null for what concerns the number as a whole. */
  readonly chat: string | null;
  /** Too frequent and too fleeting to be kept in the delivery history. */
  readonly unrecorded?: true;
  /** Told only to those who ask for this. Events of a kind that everybody is told may need one too: then each says so itself. */
  readonly extension?: Extension;
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
  group: { category: 'events', chat: 'chat_jid', extension: 'groups' },
  chat: { category: 'events', chat: 'chat_jid', extension: 'chats' },
  contact: { category: 'events', chat: 'contact_jid', extension: 'contacts' },
  contact_linked: { category: 'events', chat: 'lid', extension: 'contacts' },
  history: { category: 'events', chat: null, extension: 'history' },
  health: { category: 'connection', chat: null, extension: 'health' },
} as const satisfies Record<string, EventTraits>;
export type EventKind = keyof typeof EVENTS;

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];
export const UNRECORDED_KINDS: ReadonlySet<EventKind> = new Set(
  EVENT_KINDS.filter((kind) => 'unrecorded' in EVENTS[kind]),
);

/** What one has to ask for to be told of any event of a kind. */
export function extensionOfKind(kind: EventKind): Extension | undefined {
  const traits: EventTraits = EVENTS[kind];
  return traits.extension;
}

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
