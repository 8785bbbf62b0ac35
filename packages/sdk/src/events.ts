import type { Call, CallOptions, Connection } from './call.ts';
import { EVENTS_PAGE_MAX } from './generated/constants.ts';
import { events } from './generated/methods.ts';
import type { EventKind, ReadEventsQuery, StoredEvent } from './generated/types.ts';
import type { Platform } from './platform.ts';
import { type EventOf, type StreamedEvent, type StreamOptions, streamEvents } from './stream.ts';

export function eventsOf(call: Call, connection: Connection, platform: Platform) {
  const methods = events(call);

  /** All kept events, oldest first, fetched page by page while they are read; ends with the newest. */
  async function* history(
    query: Pick<ReadEventsQuery, 'session_id' | 'kind' | 'after'> = {},
    options?: CallOptions,
  ): AsyncGenerator<StoredEvent, void, void> {
    let { after } = query;
    while (true) {
      const page = await methods.list({ ...query, after, limit: EVENTS_PAGE_MAX }, options);
      yield* page.events;
      if (page.events.length < EVENTS_PAGE_MAX) return;
      after = page.next_cursor;
    }
  }

  return {
    ...methods,
    history,
    /** Live events, from now on or behind a cursor. Reconnects automatically and misses none. */
    stream: <K extends EventKind = EventKind>(
      options: StreamOptions<K> = {},
    ): AsyncGenerator<StreamedEvent<EventOf<K>>, void, void> => streamEvents(connection, platform, options),
  };
}
