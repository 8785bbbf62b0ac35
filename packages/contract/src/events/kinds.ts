import { EVENT_TRAITS } from './traits.generated.ts';

/** Event kinds with their properties beside the schema, as plain data. */

/** Categories; each has its own URL in the configuration of a webhook. */
export const EVENT_CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

/**
 * Events beyond the specification, requested in `extensions` of a webhook, or of the query when events are read. Without the
 * request they are not delivered. A name is listed once it has events.
 */
export const EXTENSIONS = {
  own_messages:
    'messages that the number itself writes, with the phone, another linked device or through the API (`from_me`)',
  groups: 'members who join or leave groups, and changes of groups',
  chats: 'actions of the owner on chats with other devices: reading, archiving, pinning, muting, deleting',
  contacts: 'new pictures and About texts of contacts, and hidden phone numbers that become known',
  history: 'progress of importing past conversations from the phone, for numbers that keep them',
  health: 'changes of the health of the number with the network',
} as const satisfies Record<string, string>;
export type Extension = keyof typeof EXTENSIONS;
export const EXTENSION_NAMES = Object.keys(EXTENSIONS) as [Extension, ...Extension[]];

interface EventTraits {
  readonly category: EventCategory;
  readonly chat: string | null;
  readonly unrecorded?: true;
  readonly extension?: Extension;
  /** Label in lists of the portal. */
  readonly label: string;
}

/** In the order of the documentation. */
export const EVENTS = EVENT_TRAITS satisfies Record<string, EventTraits>;
export type EventKind = keyof typeof EVENTS;

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];
export const UNRECORDED_KINDS: ReadonlySet<EventKind> = new Set(
  EVENT_KINDS.filter((kind) => 'unrecorded' in EVENTS[kind]),
);

/** Extension that every event of a kind requires. */
export function extensionOfKind(kind: EventKind): Extension | undefined {
  const traits: EventTraits = EVENTS[kind];
  return traits.extension;
}

export function eventKindsOf(category: EventCategory): EventKind[] {
  return EVENT_KINDS.filter((kind) => EVENTS[kind].category === category);
}

/** Field of a webhook configuration with the URL of a category. */
export const URL_FIELD_OF_CATEGORY = {
  messages: 'messages_url',
  status: 'status_url',
  connection: 'connection_url',
  events: 'events_url',
} as const satisfies Record<EventCategory, string>;
export type WebhookUrlField = (typeof URL_FIELD_OF_CATEGORY)[EventCategory];
