import type { ChatModification } from 'baileys';
import type { MessageKey } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { ChatChange, ChatOperations } from '../../operations.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';

/** Chat settings are entries of the account's app state, which every device of the number reads and writes. */
export function createChatOperations(context: SessionContext, addressing: Addressing): ChatOperations {
  return {
    change: (chat, change) =>
      ask(context, async (sock) => {
        if (!context.vault().creds.myAppStateKeyId) {
          throw new NetworkError('permanent', 'The phone has not shared its chats with this link yet.');
        }
        const nowSeconds = Math.floor(context.clock.now() / 1_000);
        await sock.chatModify(toModification(change, nowSeconds), await addressing.of(sock, chat));
      }),
    sendReadReceipts: (chat, messageIds, writer) =>
      ask(context, async (sock) => {
        const remoteJid = await addressing.of(sock, chat);
        // Respects the owner's setting of read receipts: when it is off, only the number's other devices are
        // informed.
        await sock.readMessages(
          messageIds.map((id) => ({ id, remoteJid, fromMe: false, ...(writer && { participant: writer }) })),
        );
      }),
  };
}

function toModification(change: ChatChange, nowSeconds: number): ChatModification {
  /** The range of messages that it covers: a chat with a newer message comes back. */
  const lastMessages = { lastMessageTimestamp: nowSeconds };
  switch (change.type) {
    case 'read':
      return { markRead: change.on, lastMessages };
    case 'archive':
      return { archive: change.on, lastMessages };
    case 'pin':
      return { pin: change.on };
    case 'mute':
      return { mute: change.until };
    case 'delete':
      return { delete: true, lastMessages };
    case 'star':
      return { star: { messages: [keyOf(change.message)], star: change.on } };
    case 'delete_message':
      return { deleteForMe: { deleteMedia: true, key: keyOf(change.message), timestamp: nowSeconds } };
  }
}

function keyOf({ messageId, fromMe }: MessageKey): { id: string; fromMe: boolean } {
  return { id: messageId, fromMe };
}
