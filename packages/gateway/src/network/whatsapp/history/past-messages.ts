import { proto, toNumber } from 'baileys';
import type { MessageEvent } from '../../events.ts';
import type { PastMessage, PastPart, PastReceipt } from '../../past.ts';
import {
  accountOf,
  attrsOfWebMessage,
  boundedId,
  boundedName,
  boundedSeconds,
  decodeWebMessage,
  type Me,
  readHead,
  toMessageEvent,
} from '../convert/index.ts';
import { named } from '../receive/event-reader.ts';
import { personAt } from '../receive/people.ts';
import type { Vault } from '../vault/index.ts';

/** What a message of a history says; nothing where it is only machinery, or no message at all. */
export async function readPastMessage(
  vault: Pick<Vault, 'read' | 'commit'>,
  bytes: Uint8Array,
  me: Me,
): Promise<Pick<PastPart, 'messages' | 'receipts'>> {
  const nothing = { messages: [], receipts: [] };
  const info = decodeWebMessage(bytes);
  const content = info?.message?.deviceSentMessage?.message ?? info?.message;
  const head = info && content && readHead(attrsOfWebMessage(info, me), me);
  const read = head && content && toMessageEvent(content, head);
  if (!read) return nothing;
  const event = await named(vault, read);
  const reached = event.fromMe ? REACHED.get(info.status) : undefined;
  const message: PastMessage = { event, ...(reached && { reached }) };
  return {
    messages: [message, ...(await reactionsTo(vault, event, info, me))],
    receipts: event.fromMe ? await receiptsOf(vault, event, info) : [],
  };
}

const { Status } = proto.WebMessageInfo;
const REACHED: ReadonlyMap<unknown, PastReceipt['type']> = new Map([
  [Status.DELIVERY_ACK, 'delivered'],
  [Status.READ, 'read'],
  [Status.PLAYED, 'played'],
]);

/** The phone keeps reactions with the message that they are about. */
async function reactionsTo(
  vault: Pick<Vault, 'read'>,
  to: MessageEvent,
  { reactions }: proto.IWebMessageInfo,
  me: Me,
): Promise<PastMessage[]> {
  const told: PastMessage[] = [];
  for (const { key, text, senderTimestampMs } of reactions ?? []) {
    if (!key?.id || !text) continue;
    const address = key.fromMe ? me.id : key.participant || (to.isGroup ? undefined : to.chat);
    const sender = to.isGroup ? accountOf(address) : await personAt(vault, address);
    if (!sender) continue;
    const id = boundedId(key.id);
    const at = boundedSeconds(toNumber(senderTimestampMs ?? 0) / 1_000);
    told.push({
      event: {
        kind: 'message',
        id: `message/${to.chat}/${sender}/${id}`,
        timestamp: at || to.timestamp,
        messageId: id,
        chat: to.chat,
        sender,
        ...(key.fromMe ? { fromMe: true } : {}),
        senderName: '',
        isGroup: to.isGroup,
        broadcast: to.broadcast,
        content: { kind: 'reaction', emoji: boundedName(text), targetId: to.messageId },
      },
    });
  }
  return told;
}

async function receiptsOf(
  vault: Pick<Vault, 'read'>,
  { messageId, isGroup }: MessageEvent,
  { userReceipt }: proto.IWebMessageInfo,
): Promise<PastReceipt[]> {
  const told: PastReceipt[] = [];
  for (const { userJid, receiptTimestamp, readTimestamp, playedTimestamp } of userReceipt ?? []) {
    const recipient = isGroup ? accountOf(userJid) : await personAt(vault, userJid ?? undefined);
    if (!recipient) continue;
    const steps = [
      ['delivered', receiptTimestamp],
      ['read', readTimestamp],
      ['played', playedTimestamp],
    ] as const;
    for (const [type, at] of steps) {
      const timestamp = boundedSeconds(toNumber(at ?? 0));
      if (timestamp > 0) told.push({ messageId, recipient, type, timestamp });
    }
  }
  return told;
}
