import type { EventKind } from './kinds.ts';

/**
 * Content of each kind that must not stay in stored copies, as paths into the payload; `*` stands for every item of an array.
 * Ids, addresses and times stay: they are what makes the history worth keeping.
 */
export const REDACTED_FIELDS: Readonly<Record<EventKind, readonly string[]>> = {
  message: [
    'text',
    'quoted_text',
    'media.data',
    'location.latitude',
    'location.longitude',
    'location.name',
    'location.address',
    'poll.name',
    'poll.options.*',
    'button_response.selected_text',
    'button_response.params_json',
  ],
  newsletter_message: ['text'],
  receipt: [],
  status: [],
  connection: [],
  poll_vote: [],
  typing: [],
  presence: [],
  call: [],
};

/** What stands in a stored copy instead of content. */
export function redactedMarker(bytes: number): string {
  return `[redacted: ${bytes} bytes]`;
}
