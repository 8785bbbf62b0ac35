export type { WebhooksContext } from './context.ts';
export { createDeliveries, type Deliveries, type DeliveriesParts } from './deliver.ts';
export type { EventReader, Payload } from './event-reader.ts';
export { redact } from './redact.ts';
export { webhooksRoutes } from './routes.ts';
export { undeliveredEvents } from './store.ts';
export { DELIVERIES_TOPIC } from './topics.ts';
