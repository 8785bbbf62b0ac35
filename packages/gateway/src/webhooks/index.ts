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
export { eraseDeliveries } from './endpoints/endpoint-queries.ts';
export {
  dropFormattedWebhook,
  type FormattedWebhook,
  formattedWebhook,
  notifyFormatted,
  removeFormattedWebhook,
  setFormattedWebhook,
} from './endpoints/formatted.ts';
export { contextOfOptions, contextOfSecret, newSecret, signedHeaders } from './endpoints/signing.ts';
export { sendTestDelivery } from './endpoints/test-delivery.ts';
export { contextOfAnswers } from './history/answers.ts';
export { deliveryBacklog, queueDepths } from './history/delivery-queries.ts';
export { deliveriesOfEvent, deliveryDetail, searchDeliveries } from './history/detail.ts';
export { deadLetters, redeliverDeadLetter } from './history/history.ts';
export { hurryDelivery, hurryWebhook, repeatDelivery, replayOf, startReplay } from './history/repeat.ts';
export { deliveryStats } from './history/stats.ts';
export {
  failingOfAll,
  failingReceivers,
  type NotifyOwners,
  startFailureWatch,
} from './receivers/failure-watch.ts';
export { webhooksRoutes } from './routes.ts';
