import type { ChatBook, NumberKeeper } from '#conversations';
import { type GroupOperations, type InboundContent, type MessageEvent, NetworkError } from '#network';

type Groups = Pick<GroupOperations, 'detail'>;

/** The right by which a message is deleted or edited; null: none. */
type Right = 'author' | 'admin' | null;

/** What is known of who wrote a message. */
export interface Authorship {
  /** Whether the number has sent it through the gateway. */
  readonly sent: (slotId: string, messageId: string) => Promise<boolean>;
  readonly book: Pick<ChatBook, 'reachesForAnothers'>;
}

/** The message that this one takes back or rewrites. */
export function changedBy(content: InboundContent): string | undefined {
  return content.kind === 'other' ? (content.revokedId ?? content.editedId) : undefined;
}

/**
 * Authors may edit and delete their own messages, and admins of a group delete any message. The network checks this only for deletions that claim
 * admin rights outside the encrypted content; phones check all others themselves, and ignore those that are not allowed.
 */
export async function claimedRight(groups: Groups, event: MessageEvent): Promise<Right> {
  const { content } = event;
  if (content.kind !== 'other') return null;
  if (content.revokedByAdmin) return 'admin';
  if (!content.changesAnothers) return 'author';
  return content.revokedId !== undefined && event.isGroup && (await isAdmin(groups, event)) ? 'admin' : null;
}

async function isAdmin(groups: Groups, event: MessageEvent): Promise<boolean> {
  const { chat, sender, senderPhone, senderLid } = event;
  try {
    const { participants } = await groups.detail(chat);
    const addresses = [sender, senderPhone, senderLid];
    return participants.some(
      ({ jid, phoneJid, isAdmin }) =>
        isAdmin && (addresses.includes(jid) || (phoneJid !== undefined && addresses.includes(phoneJid))),
    );
  } catch (error) {
    if (error instanceof NetworkError) return false;
    throw error;
  }
}

/** Whether a message that the deletion or edit claims as the sender's own is known to be of another person. */
export async function isKnownAsAnothers(
  { sent, book }: Authorship,
  slotId: string,
  event: MessageEvent,
  kept: ReturnType<NumberKeeper['message']>,
): Promise<boolean> {
  const changedId = changedBy(event.content);
  if (changedId === undefined) return false;
  if (!event.fromMe && (await sent(slotId, changedId))) return true;
  return book.reachesForAnothers(kept);
}
