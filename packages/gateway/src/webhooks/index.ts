export type { WebhooksContext } from './context.ts';
export { createDeliveries, type Deliveries } from './delivery/deliveries.ts';
export type { WebhookFormat, WebhookFormats } from './delivery/formats.ts';
export {
  registerWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
  webhooksOf,
} from './endpoints/configuration.ts';
export {
  type FormattedWebhook,
  formattedWebhook,
  removeFormattedWebhook,
  setFormattedWebhook,
  tellFormatted,
} from './endpoints/formatted.ts';
export { contextOfOptions, contextOfSecret, signedHeaders } from './endpoints/signing.ts';
export { sendTestDelivery } from './endpoints/test-delivery.ts';
export { deadLetters, deliveriesOf, redeliver, redeliverDeadLetter } from './history/history.ts';
export { deliveryStats } from './history/stats.ts';
export { deliveryBacklog, queueDepths } from './history/store.ts';
export { webhooksRoutes } from './routes.ts';
