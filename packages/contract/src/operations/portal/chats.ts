import { ChatJid, Phone } from '../../primitives.ts';
import { closed } from '../../schema.ts';
import { historyOperations } from '../history.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

const { listChats, listChatMessages, forgetChat } = historyOperations;
const onNumber = { ...onPortal, subject: 'number', isPrivate: true } as const;
const ofChat = closed({ phone: Phone, jid: ChatJid });

/** Kept conversations of a number, for its owner. */
export const portalChatOperations = {
  listNumberChats: operation({
    ...onNumber,
    id: 'listNumberChats',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}/chats',
    summary: listChats.summary,
    params: closed({ phone: Phone }),
    query: listChats.query,
    answers: listChats.answers,
    errors: listChats.errors,
  }),
  listNumberChatMessages: operation({
    ...onNumber,
    id: 'listNumberChatMessages',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}/chats/{jid}/messages',
    summary: listChatMessages.summary,
    params: ofChat,
    query: listChatMessages.query,
    answers: listChatMessages.answers,
    errors: listChatMessages.errors,
  }),
  forgetNumberChat: operation({
    ...onNumber,
    id: 'forgetNumberChat',
    method: 'DELETE',
    right: 'build',
    path: '/portal/api/numbers/{phone}/chats/{jid}/history',
    summary: forgetChat.summary,
    params: ofChat,
    answers: forgetChat.answers,
    errors: forgetChat.errors,
  }),
};
