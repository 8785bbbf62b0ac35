export { chatOf } from './chat.ts';
export type { WebhooksContext } from './context.ts';
export { createDeliveries, type Deliveries, type DeliveriesParts } from './delivery/deliveries.ts';
export { held } from './due.ts';
export {
  registerWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
  webhooksOf,
} from './endpoints/configuration.ts';
export { signedHeaders } from './endpoints/signing.ts';
export { sendTestDelivery } from './endpoints/test-delivery.ts';
export type { EventReader, WindowReader } from './event-reader.ts';
export { deadLetters, redeliverDeadLetter } from './history/dead-letters.ts';
export { queueDepths } from './history/figures.ts';
export { deliveriesOf, redeliver } from './history/history.ts';
export { deliveryStats } from './history/stats.ts';
export { redact } from './redact.ts';
export { webhooksRoutes } from './routes.ts';
export { undeliveredEvents } from './store.ts';
export { DELIVERIES_TOPIC } from './topics.ts';
