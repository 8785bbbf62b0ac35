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
  dropFormattedWebhook,
  type FormattedWebhook,
  formattedWebhook,
  removeFormattedWebhook,
  setFormattedWebhook,
  tellFormatted,
} from './endpoints/formatted.ts';
export { contextOfOptions, contextOfSecret, newSecret, signedHeaders } from './endpoints/signing.ts';
export { sendTestDelivery } from './endpoints/test-delivery.ts';
export { contextOfAnswers } from './history/answers.ts';
export { deliveriesTelling, deliveryDetail, searchDeliveries } from './history/detail.ts';
export { eraseDeliveries } from './history/erasure-queries.ts';
export { deadLetters, redeliverDeadLetter } from './history/history.ts';
export { hurryDelivery, hurryWebhook, repeatDelivery, replayOf, startReplay } from './history/repeat.ts';
export { deliveryStats } from './history/stats.ts';
export { deliveryBacklog, queueDepths } from './history/store.ts';
export { failingOfAll, failingReceivers } from './receivers/list.ts';
export { startFailureWatch, type TellOwners } from './receivers/tell.ts';
export { webhooksRoutes } from './routes.ts';
