export { createChatNames, nameChat } from './names.ts';
export { chatsRoutes } from './routes.ts';
