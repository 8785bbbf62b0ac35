export { abandonOrphans } from './abandon.ts';
export { type AcceptContext, acceptSend } from './accept.ts';
export { createSendBudget, type SendBudget } from './budget.ts';
export { createMediaSpool, type MediaSpool } from './media.ts';
export { type Outbox, startOutbox } from './outbox.ts';
export { createReceiptDesk, type ReceiptDesk } from './receipts.ts';
export { dropOldMessages } from './retention.ts';
export { messagesRoutes } from './routes.ts';
