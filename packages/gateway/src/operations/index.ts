export { callsRoutes } from './calls.ts';
export { channelsRoutes, createChannelActions } from './channels.ts';
export { chatsRoutes, createChatNames, nameChat } from './chats.ts';
export { contactsRoutes, createContactActions } from './contacts.ts';
export { createGroupActions, groupsRoutes } from './groups.ts';
export { presenceRoutes } from './presence.ts';
export { createTempFiles, type TempFiles } from './temp-files.ts';
