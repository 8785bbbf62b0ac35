import type { ChatChange as WorldChange } from '@parley/sandbox/world';
import type { ChatChange, ChatOperations } from '../../operations.ts';
import { ask, type Link } from './link.ts';

export function createChatOperations(link: Link): ChatOperations {
  return {
    change: (chat, change) =>
      ask(link, (device) => link.world.chatStates.change(device, chat, toWorld(change))),
    sendReadReceipts: (_chat, messageIds) =>
      ask(link, (device) => link.world.messages.receipt(device, [...messageIds], 'read')),
  };
}

function toWorld(change: ChatChange): WorldChange {
  switch (change.type) {
    case 'read':
      return { type: 'unread', on: !change.on };
    case 'star':
      return { type: 'star', messageId: change.message.messageId, on: change.on };
    case 'delete_message':
      return { type: 'delete_message', messageId: change.message.messageId };
    case 'mute':
      return { type: 'mute', until: change.until };
    case 'delete':
      return { type: 'delete' };
    default:
      return { type: change.type, on: change.on };
  }
}
