export { type AcceptContext, acceptSend } from './accept/accept.ts';
export { createSendBudget, type SendBudget } from './accept/budget.ts';
export {
  acceptedAt,
  messagesOf,
  outboxBacklog,
  outboxDepth,
  sendingStatesOf,
  statesOf,
} from './message-queries.ts';
export { abandonQueue } from './outbox/abandon.ts';
export { createSender } from './outbox/outbox.ts';
export { createReceiptRecorder } from './receipts/recorder.ts';
export { type PlaceInQueue, searchSent } from './records/record-queries.ts';
export { timelineOf } from './records/timeline.ts';
export { messagesRoutes } from './routes.ts';
export { contextOfSend } from './sealed-send.ts';
export { countSent, startRememberingDays } from './usage/count-sent.ts';
