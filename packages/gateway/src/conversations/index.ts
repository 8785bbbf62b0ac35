export { choose, type HistoryContext, readChoice } from './choose.ts';
export { openMark, openMessage } from './content.ts';
export type { ChatFlags } from './conversation-queries.ts';
export { startHistoryRetention } from './forgetting/retention.ts';
export { createHistories, type Histories } from './histories.ts';
export type { NumberKeeper } from './keeper.ts';
export { type ChatBook, createChatBook, forgetChat } from './owner-actions.ts';
export { readChats, readMessages } from './reading.ts';
export { historyRoutes } from './routes.ts';
