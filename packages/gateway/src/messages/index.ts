export { type AcceptContext, acceptSend } from './accept/accept.ts';
export { createSendBudget, type SendBudget } from './accept/budget.ts';
export { createSender, type Sender } from './outbox/sender.ts';
export { createReceiptRecorder, type ReceiptRecorder } from './receipts/recorder.ts';
export { messagesRoutes } from './routes.ts';
export { dailyUsageOf, messagesOf, outboxDepth, sendingStateOf } from './store.ts';
