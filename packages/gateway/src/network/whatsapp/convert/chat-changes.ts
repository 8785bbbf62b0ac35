import { type BinaryNode, type proto, toNumber } from 'baileys';
import type { Jid } from '../../content.ts';
import type { ChatEvent, ChatEventChange } from '../../events.ts';
import { boundedId, boundedSeconds } from './bounds.ts';
import type { NameOf } from './events.ts';
import { accountOf, isGroup, isOwnJid, type Me } from './jid.ts';

/** Chat change in an entry of the account's app state; undefined when the entry is about something else. */
export function chatChangeOf(
  index: readonly unknown[],
  value: proto.ISyncActionValue,
): { readonly chat: Jid; readonly change: ChatEventChange } | undefined {
  const [kind, address] = index;
  const chat = typeof address === 'string' ? accountOf(address) : '';
  const change = typeof kind === 'string' ? changeOf(kind, value) : undefined;
  return chat && change ? { chat, change } : undefined;
}

function changeOf(kind: string, value: proto.ISyncActionValue): ChatEventChange | undefined {
  const { archiveChatAction, pinAction, muteAction, markChatAsReadAction } = value;
  switch (kind) {
    case 'archive':
      return archiveChatAction ? { type: 'archived', on: archiveChatAction.archived === true } : undefined;
    case 'pin_v1':
      return pinAction ? { type: 'pinned', on: pinAction.pinned === true } : undefined;
    case 'mute':
      return muteAction ? { type: 'muted', until: muteAction.muted ? endOf(muteAction) : null } : undefined;
    case 'markChatAsRead': {
      if (!markChatAsReadAction) return undefined;
      const { read, messageRange } = markChatAsReadAction;
      return { type: 'read', on: read === true, ...upTo(messageRange) };
    }
    case 'deleteChat':
      return { type: 'deleted', ...upTo(value.deleteChatAction?.messageRange) };
    case 'clearChat':
      return { type: 'cleared', ...upTo(value.clearChatAction?.messageRange) };
    default:
      return undefined;
  }
}

function endOf({ muteEndTimestamp }: proto.SyncActionValue.IMuteAction): number {
  const end = toNumber(muteEndTimestamp ?? -1);
  return end > 0 && boundedSeconds(end / 1_000) > 0 ? end : -1;
}

function upTo(range: proto.SyncActionValue.ISyncActionMessageRange | null | undefined): { upTo?: number } {
  const last = boundedSeconds(toNumber(range?.lastMessageTimestamp ?? 0));
  return last > 0 ? { upTo: last } : {};
}

/** Read markers of the owner: the phone sends them to the network, which sends them to the owner's other devices. */
export async function readOwnReading(
  { attrs }: BinaryNode,
  me: Me,
  nameOf: NameOf,
): Promise<readonly ChatEvent[]> {
  const { id, type, from, participant, recipient, t } = attrs;
  if (!id || !(type === 'read' || type === 'read-self') || !isOwnJid(participant ?? from, me)) return [];
  const address = accountOf(isGroup(from ?? '') ? from : recipient);
  if (!address) return [];
  const chat = isGroup(address) ? address : await nameOf(address);
  const timestamp = boundedSeconds(t);
  const change = { type: 'read', on: true, ...(timestamp > 0 && { upTo: timestamp }) } as const;
  return [{ kind: 'chat', id: `chat/read/${chat}/${boundedId(id)}`, timestamp, chat, change }];
}
