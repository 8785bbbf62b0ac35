import { isGroup, isPerson, operations } from '@parley/contract';
import type { ChatBook, ChatFlags } from '#conversations';
import { ApiError, apiError } from '#kernel';
import type { ChatChange, NetworkSession } from '#network';
import type { OwnedNumber, Route } from '#platform/http';
import type { GetHost, HostAction } from '#sessions';
import { type ActionContext, createActionServer } from './serve-action.ts';

type Jid = Parameters<NetworkSession['chatOf']>[0];

/** Only the link knows both addresses of a person. */
export const nameChat: HostAction<Jid, Jid> = {
  name: 'nameChat',
  run: ({ session }, jid) => session.chatOf(jid),
};

/** Resolves any address of a person to the one under which their chat is published and stored. */
export type ChatNames = (number: OwnedNumber, jid: Jid) => Promise<Jid>;

/** While the link is unreachable, a chat keeps the given address. */
export function createChatNames(getHost: GetHost): ChatNames {
  return async (number, jid) => {
    if (!isPerson(jid)) return jid;
    try {
      return await getHost(number).run(nameChat, jid);
    } catch (error) {
      if (error instanceof ApiError) return jid;
      throw error;
    }
  };
}

/** The network's value for no end. */
const FOR_EVER = -1;

/** Settings of a number's chats, on all devices and in its history. */
export function chatsRoutes({
  getHost,
  states,
  book,
  nameOf,
}: ActionContext & { readonly book: ChatBook; readonly nameOf: ChatNames }): Route[] {
  const serveAction = createActionServer({ states });
  const change = (number: OwnedNumber, jid: string, order: ChatChange): Promise<void> =>
    getHost(number).chats.change(jid, order);
  const flag = async (number: OwnedNumber, jid: string, flags: ChatFlags): Promise<void> =>
    book.flag(number.slotId, await nameOf(number, jid), flags);

  return [
    serveAction(operations.markChatRead, {}, async ({ number, params: { jid } }) => {
      await change(number, jid, { type: 'read', on: true });
      await flag(number, jid, { unread: 0 });
      return { jid, read: true };
    }),
    serveAction(operations.markChatUnread, {}, async ({ number, params: { jid } }) => {
      await change(number, jid, { type: 'read', on: false });
      await flag(number, jid, { unread: 1 });
      return { jid, read: false };
    }),
    serveAction(operations.tellMessageRead, {}, async ({ number, params, body: { participant } }) => {
      if (isGroup(params.jid) && participant === undefined)
        throw apiError('invalid_field', { text: 'participant is required in a group' });
      await getHost(number).chats.sendReadReceipts(params.jid, [params.message_id], participant ?? null);
      return undefined;
    }),
    serveAction(operations.archiveChat, {}, async ({ number, params: { jid }, body: { on = true } }) => {
      await change(number, jid, { type: 'archive', on });
      await flag(number, jid, { archived: Number(on) });
      return { jid, archived: on };
    }),
    serveAction(operations.pinChat, {}, async ({ number, params: { jid }, body: { on = true } }) => {
      await change(number, jid, { type: 'pin', on });
      await flag(number, jid, { pinned: Number(on) });
      return { jid, pinned: on };
    }),
    serveAction(operations.muteChat, {}, async ({ number, params: { jid }, body }) => {
      const { on = true, until_unix } = body;
      const until = until_unix === undefined ? FOR_EVER : until_unix * 1_000;
      await change(number, jid, { type: 'mute', until: on ? until : null });
      await flag(number, jid, { muted_until: on ? until : null });
      return { jid, muted: on, ...(on && until_unix !== undefined && { until_unix }) };
    }),
    serveAction(operations.deleteChat, {}, async ({ number, params: { jid } }) => {
      await change(number, jid, { type: 'delete' });
      await book.deleteChat(number.slotId, await nameOf(number, jid));
      return undefined;
    }),
    serveAction(operations.starMessage, {}, async ({ number, params, body: { from_me, on = true } }) => {
      const message = { messageId: params.message_id, fromMe: from_me };
      await change(number, params.jid, { type: 'star', message, on });
      return { message_id: params.message_id, starred: on };
    }),
    serveAction(operations.deleteMessageForMe, {}, async ({ number, params, query }) => {
      const message = { messageId: params.message_id, fromMe: query.from_me ?? false };
      await change(number, params.jid, { type: 'delete_message', message });
      const chat = await nameOf(number, params.jid);
      await book.deleteMessage(number.slotId, chat, message.messageId, message.fromMe);
      return undefined;
    }),
  ];
}
