import Type from 'typebox';
import {
  CHATS_PAGE_DEFAULT,
  CHATS_PAGE_MAX,
  ID_MAX_LENGTH,
  MESSAGES_PAGE_DEFAULT,
  MESSAGES_PAGE_MAX,
  SEARCH_MAX_LENGTH,
  SEARCHED_PER_REQUEST,
} from '../limits.ts';
import { ChatJid, MessageId, SessionId } from '../primitives.ts';
import { ChatPage, History, historyFields, KeptMessageDetail, KeptMessagePage } from '../resources/index.ts';
import { closed, lines, oneLine } from '../schema.ts';
import { operation } from './operation.ts';
import { sessionPath } from './paths.ts';

const onHistory = {
  tag: 'Chats',
  surface: 'v1',
  sdk: 'chats',
  permission: 'messages',
  limits: [],
  subject: 'session',
} as const;

const historyBody = closed(
  {
    enabled: Type.Boolean({ description: 'False deletes all that is kept, for good.' }),
    days: Type.Optional(historyFields.days),
    media: Type.Optional(historyFields.media),
  },
  { examples: [{ enabled: true, days: 90 }] },
);

const cursor = Type.String({ maxLength: ID_MAX_LENGTH, ...oneLine, description: 'A cursor.' });

const chatPageQuery = closed({
  cursor: Type.Optional(cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CHATS_PAGE_MAX, default: CHATS_PAGE_DEFAULT })),
});
const messagePageQuery = closed({
  before: Type.Optional(
    Type.String({ ...cursor, description: 'A cursor: only messages before it, the newest first.' }),
  ),
  after: Type.Optional(
    Type.String({ ...cursor, description: 'A cursor: only messages behind it, the oldest first.' }),
  ),
  q: Type.Optional(
    lines(SEARCH_MAX_LENGTH, {
      description: `Only messages whose text has this in it, in upper or lower case. Texts are sealed, so they are looked through one by one, the newest first: up to ${SEARCHED_PER_REQUEST} per request.`,
      examples: ['invoice'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MESSAGES_PAGE_MAX, default: MESSAGES_PAGE_DEFAULT }),
  ),
});

/** Reading back conversations, for numbers that keep them. */
export const historyOperations = {
  getHistory: operation({
    ...onHistory,
    permission: 'sessions',
    id: 'getHistory',
    method: 'GET',
    path: '/v1/sessions/{id}/history',
    summary: 'Get what is kept of the conversations of a number',
    params: sessionPath,
    answers: { 200: History },
    errors: [],
    sdk: 'sessions',
    mcp: { tool: false, because: 'The owner of the number decides how it behaves and what it keeps.' },
    run: { folder: 'Sessions' },
  }),
  setHistory: operation({
    ...onHistory,
    permission: 'sessions',
    id: 'setHistory',
    method: 'PUT',
    path: '/v1/sessions/{id}/history',
    summary: 'Choose whether a number keeps its conversations',
    description:
      'Off until it is switched on. Then messages in and out, receipts, reactions, edits and deletions are kept from that moment on, sealed under a key of the account. What is deleted for everybody on the network is deleted here. Switched off, all of it is deleted for good. Works while the session is offline too, and survives pairing again.',
    params: sessionPath,
    body: historyBody,
    answers: { 200: History },
    errors: [],
    sdk: 'sessions',
    mcp: { tool: false, because: 'The owner of the number decides how it behaves and what it keeps.' },
    run: { folder: 'Sessions' },
  }),
  listChats: operation({
    ...onHistory,
    id: 'listChats',
    method: 'GET',
    path: '/v1/sessions/{id}/chats',
    summary: 'List the conversations of a number',
    params: sessionPath,
    query: chatPageQuery,
    answers: { 200: ChatPage },
    errors: ['history_off', 'cursor_invalid'],
    mcp: { tool: true, foreignText: true },
    run: {},
  }),
  listChatMessages: operation({
    ...onHistory,
    id: 'listChatMessages',
    method: 'GET',
    path: '/v1/sessions/{id}/chats/{jid}/messages',
    summary: 'Read a conversation, or search in it',
    description: 'The newest messages first, unless `after` is given.',
    params: closed({ id: SessionId, jid: ChatJid }),
    query: messagePageQuery,
    answers: { 200: KeptMessagePage },
    errors: ['history_off', 'cursor_invalid'],
    sdk: 'chats.messages',
    mcp: { tool: true, foreignText: true },
    run: {},
  }),
  getKeptMessage: operation({
    ...onHistory,
    id: 'getKeptMessage',
    method: 'GET',
    path: '/v1/sessions/{id}/messages/{message_id}',
    summary: 'Get a message of a conversation, with receipts, reactions and edits',
    params: closed({ id: SessionId, message_id: MessageId }),
    listBound: 'What belongs to one message.',
    answers: { 200: KeptMessageDetail },
    errors: ['history_off', 'message_not_found'],
    sdk: 'chats.getMessage',
    mcp: { tool: true, foreignText: true },
    run: {},
  }),
  forgetChat: operation({
    ...onHistory,
    id: 'forgetChat',
    method: 'DELETE',
    path: '/v1/sessions/{id}/chats/{jid}/history',
    summary: 'Delete what is kept of a conversation',
    description: 'Here, for good; the phones keep it. What is written afterwards is kept again.',
    params: closed({ id: SessionId, jid: ChatJid }),
    answers: { 204: null },
    errors: ['history_off'],
    mcp: { tool: false, because: 'The owner of the number decides how it behaves and what it keeps.' },
  }),
};
