export { type AcceptContext, acceptSend } from './accept/accept.ts';
export { createSendBudget, type SendBudget } from './accept/budget.ts';
export { createSender } from './outbox/sender.ts';
export { createReceiptRecorder } from './receipts/recorder.ts';
export { messagesRoutes } from './routes.ts';
export { contextOfSend } from './sealed-send.ts';
export {
  acceptedAt,
  dailyUsageOf,
  messagesOf,
  outboxBacklog,
  outboxDepth,
  sendingStateOf,
  statesOf,
} from './store.ts';
