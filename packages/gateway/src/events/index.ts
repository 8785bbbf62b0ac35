export {
  createDeliveryQueue,
  type DeliveryQueue,
  type DueRange,
  type DueWindow,
  START_OF_LANE,
} from './delivery-queue.ts';
export {
  countOfAsking,
  createPayloadReader,
  createRedactedPayloadReader,
  dropExpiredEvents,
  entriesBefore,
  isAskedFor,
  type LogFilter,
  waitingLanes,
} from './event-log-queries.ts';
export {
  createFeed,
  type Feed,
  formatCursor,
  parseCursor,
  START_OF_LOG,
} from './feed.ts';
export { createLiveFeed } from './live.ts';
export {
  createEventLog,
  DELIVERIES_TOPIC,
  type EventLog,
  eventsTopic,
  LISTENERS_TOPIC,
  type NewEvent,
  READERS_TOPIC,
  type ReaderNews,
  redactJson,
} from './log.ts';
export { bodiesByKey, eventAt, searchReceived } from './lookup/lookup-queries.ts';
export { openPayload, sealContext as contextOfEvent } from './payload.ts';
export { isPlainId, publicId } from './plain-event.ts';
export {
  type CommittedDelivery,
  isCommittedDelivery,
  isLaneName,
  type LaneName,
  LIGHT_BYTES,
  type LoadedDelivery,
  type QueuedDelivery,
  unpackDelivery,
} from './queued-delivery.ts';
export type { LanePosition } from './readings.ts';
export { createEventStreams, type EventStreams } from './streams.ts';
export type { PreparedEvent } from './write-commands.ts';
