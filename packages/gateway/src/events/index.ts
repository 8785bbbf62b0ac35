export { createPastSink } from './past.ts';
export { contextOfQuarantined, createQuarantine, type Quarantine } from './quarantine.ts';
export { startEventRetention } from './retention.ts';
export { eventsRoutes, quarantineRoutes } from './routes.ts';
export { createNetworkEventSink, type NetworkEventSink } from './sink.ts';
