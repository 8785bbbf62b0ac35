export { createPastSink } from './past.ts';
export { contextOfQuarantined, createQuarantine } from './quarantine.ts';
export { startEventRetention } from './retention.ts';
export { eventsRoutes, quarantineRoutes } from './routes.ts';
export { createNetworkEventSink } from './sink.ts';
