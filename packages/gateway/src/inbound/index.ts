export { createPastSink } from './past.ts';
export {
  contextOfQuarantined,
  createQuarantine,
  type Quarantine,
  startEventRetention,
} from './quarantine.ts';
export { driftRoutes, eventsRoutes, quarantineRoutes } from './routes.ts';
export { createNetworkEventSink, type NetworkEventSink } from './sink.ts';
