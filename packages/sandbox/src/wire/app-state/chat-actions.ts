import type { ChatChange, LinkedDevice, World } from '../../world/index.ts';
import type { Mutation } from './collections.ts';

/** Applies a linked device's change of a chat to the world of its phone. False for any other mutation. */
export function adoptChatAction(
  world: Pick<World, 'chatStates'>,
  device: LinkedDevice,
  { index, value }: Mutation,
): boolean {
  const [kind = '', chat = '', messageId = ''] = index;
  const order = orderIn(kind, messageId, value);
  if (!order) return false;
  world.chatStates.change(device, chat, order);
  return true;
}

function orderIn(kind: string, messageId: string, value: Mutation['value']): ChatChange | undefined {
  switch (kind) {
    case 'archive':
      return { type: 'archive', on: value.archiveChatAction?.archived === true };
    case 'pin_v1':
      return { type: 'pin', on: value.pinAction?.pinned === true };
    case 'markChatAsRead':
      return { type: 'unread', on: value.markChatAsReadAction?.read !== true };
    case 'mute': {
      const { muted, muteEndTimestamp } = value.muteAction ?? {};
      return { type: 'mute', until: muted ? Number(muteEndTimestamp ?? -1) : null };
    }
    case 'deleteChat':
      return { type: 'delete' };
    case 'star':
      return { type: 'star', messageId, on: value.starAction?.starred === true };
    case 'deleteMessageForMe':
      return { type: 'delete_message', messageId };
    default:
      return undefined;
  }
}
