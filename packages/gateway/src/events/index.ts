export { formatCursor, parseCursor, START_OF_LOG } from './cursor.ts';
export { createFeed, type Feed, type FeedEvent } from './feed.ts';
export { createLiveFeed, type LiveFeed } from './live.ts';
export { createEventLog, type EventLog, eventsTopic } from './log.ts';
export type { NewEvent } from './prepare.ts';
export { createQuarantine } from './quarantine.ts';
export { quarantineRoutes } from './quarantine-routes.ts';
export { createEventReader, createRedactedReader } from './read.ts';
export { createEventRetention, type EventRetention } from './retention.ts';
export { type EventsRoutesParts, eventsRoutes } from './routes.ts';
export {
  createNetworkEventSink,
  type ListeningSession,
  type NetworkEventSink,
  type ReceiptRecorder,
} from './sink.ts';
export { entriesBefore, type LogFilter, type Position } from './store.ts';
export { createEventStreams, type EventStreams } from './streams.ts';
export { type PreparedEvent, writeEvents } from './write-commands.ts';
