export { createQuarantine } from './quarantine.ts';
export { createEventRetention } from './retention.ts';
export { eventsRoutes, quarantineRoutes } from './routes.ts';
export { createNetworkEventSink } from './sink.ts';
