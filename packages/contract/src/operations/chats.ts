import Type from 'typebox';
import { ChatJid, MessageId, PersonJid, SessionId, UnixSeconds } from '../primitives.ts';
import { ChatArchived, ChatMuted, ChatPinned, ChatRead, MessageStarred } from '../resources/index.ts';
import { closed } from '../schema.ts';
import { operation } from './operation.ts';

/**
 * Shared by all operations on chats: the owner sees the change on all devices of the number; except for read receipts, no other
 * person is notified.
 */
const onChats = {
  tag: 'Chats',
  surface: 'v1',
  sdk: 'chats',
  permission: 'messages',
  limits: ['network_action'],
  subject: 'session',
  sessionMustBe: 'online',
  errors: [],
} as const;

const chatPath = closed({ id: SessionId, jid: ChatJid });
const messagePath = closed({ id: SessionId, jid: ChatJid, message_id: MessageId });
const on = Type.Optional(Type.Boolean({ default: true, description: 'False takes it back.' }));
const fromMe = Type.Boolean({ description: 'Whether the number itself wrote the message.' });

export const chatOperations = {
  markChatRead: operation({
    ...onChats,
    id: 'markChatRead',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/read',
    summary: 'Mark a chat as read',
    description: 'For the owner of the number; the other side is not notified.',
    params: chatPath,
    answers: { 200: ChatRead },
    mcp: { tool: true },
    run: {},
  }),
  markChatUnread: operation({
    ...onChats,
    id: 'markChatUnread',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/unread',
    summary: 'Mark a chat as unread',
    params: chatPath,
    answers: { 200: ChatRead },
    mcp: { tool: true },
    run: {},
  }),
  archiveChat: operation({
    ...onChats,
    id: 'archiveChat',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/archive',
    summary: 'Archive a chat, or take it back',
    params: chatPath,
    body: closed({ on }),
    answers: { 200: ChatArchived },
    mcp: { tool: true },
    run: {},
  }),
  pinChat: operation({
    ...onChats,
    id: 'pinChat',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/pin',
    summary: 'Pin a chat, or unpin it',
    params: chatPath,
    body: closed({ on }),
    answers: { 200: ChatPinned },
    mcp: { tool: true },
    run: {},
  }),
  muteChat: operation({
    ...onChats,
    id: 'muteChat',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/mute',
    summary: 'Mute a chat, or unmute it',
    params: chatPath,
    body: closed({
      on,
      until_unix: Type.Optional(Type.Integer({ ...UnixSeconds, description: 'Without it, for ever.' })),
    }),
    answers: { 200: ChatMuted },
    mcp: { tool: true },
    run: {},
  }),
  deleteChat: operation({
    ...onChats,
    id: 'deleteChat',
    method: 'DELETE',
    path: '/v1/sessions/{id}/chats/{jid}',
    summary: 'Delete a chat for the owner of the number',
    description: 'With all that is in it. Others keep what they have.',
    params: chatPath,
    answers: { 204: null },
    mcp: { tool: true },
  }),
  tellMessageRead: operation({
    ...onChats,
    id: 'tellMessageRead',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/messages/{message_id}/read',
    summary: 'Send the sender of a message a read receipt',
    description:
      'Where the owner has switched read receipts off, only the other devices of the number are notified. It resolves when the receipt is sent.',
    params: messagePath,
    body: closed({
      participant: Type.Optional(
        Type.String({ ...PersonJid, description: 'Who wrote it (`sender_jid`); required in groups.' }),
      ),
    }),
    answers: { 204: null },
    mcp: { tool: true },
  }),
  starMessage: operation({
    ...onChats,
    id: 'starMessage',
    method: 'POST',
    path: '/v1/sessions/{id}/chats/{jid}/messages/{message_id}/star',
    summary: 'Star a message, or take it back',
    params: messagePath,
    body: closed({ from_me: fromMe, on }),
    answers: { 200: MessageStarred },
    mcp: { tool: true },
    run: { body: { from_me: true } },
  }),
  deleteMessageForMe: operation({
    ...onChats,
    id: 'deleteMessageForMe',
    method: 'DELETE',
    path: '/v1/sessions/{id}/chats/{jid}/messages/{message_id}',
    summary: 'Delete a message for the owner of the number',
    description: 'Others keep it; to delete it for everybody, send a `revoke`.',
    params: messagePath,
    query: closed({ from_me: Type.Optional(fromMe) }),
    answers: { 204: null },
    sdk: 'chats.deleteMessage',
    mcp: { tool: true },
  }),
};
