export { type AcceptContext, acceptSend } from './accept.ts';
export { createSendBudget, type SendBudget } from './budget.ts';
export { dailyUsageOf, messagesOf, outboxDepth, sendingStateOf } from './overview.ts';
export { createReceiptDesk, type ReceiptDesk } from './receipts.ts';
export { messagesRoutes } from './routes.ts';
export { createSender, type Sender } from './sender.ts';
