export { type AcceptContext, acceptSend } from './accept/accept.ts';
export { createSendBudget, type SendBudget } from './accept/budget.ts';
export { abandonQueue } from './outbox/abandon.ts';
export { createSender } from './outbox/sender.ts';
export { createReceiptRecorder } from './receipts/recorder.ts';
export { lifeOf } from './records/life.ts';
export { type PlaceInQueue, searchSent } from './records/store.ts';
export { messagesRoutes } from './routes.ts';
export { contextOfSend } from './sealed-send.ts';
export {
  acceptedAt,
  messagesOf,
  outboxBacklog,
  outboxDepth,
  sendingStatesOf,
  statesOf,
} from './store.ts';
export { countSent } from './usage/count-sent.ts';
export { startRememberingDays } from './usage/remember-days.ts';
