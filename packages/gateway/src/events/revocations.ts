import type { ChatBook, NumberKeeper } from '#history';
import { type GroupOperations, type InboundContent, type MessageEvent, NetworkError } from '#network';

type Groups = Pick<GroupOperations, 'detail'>;

/** By what right somebody takes a message back; null: by none. */
type Right = 'author' | 'admin' | null;

/** What is known of who wrote a message. */
export interface Authorship {
  /** Whether the number has sent it through the gateway. */
  readonly sent: (slotId: string, messageId: string) => Promise<boolean>;
  readonly book: Pick<ChatBook, 'reachesForAnothers'>;
}

/** The message that this one takes back. */
export function revokedBy(content: InboundContent): string | undefined {
  return content.kind === 'other' ? content.revokedId : undefined;
}

/**
 * Authors take back what is theirs, and admins of a group what is anybody's. The network checks that only of who says so in the clear; of
 * all else phones look it up themselves, and pass over what is not allowed.
 */
export async function claimedRight(groups: Groups, event: MessageEvent): Promise<Right> {
  const { content } = event;
  if (content.kind !== 'other') return null;
  if (content.revokedByAdmin) return 'admin';
  if (!content.revokesAnothers) return 'author';
  return event.isGroup && (await isAdmin(groups, event)) ? 'admin' : null;
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

/** Whether a message that is said to be the sender's own is known to be somebody else's. */
export async function isKnownAsAnothers(
  { sent, book }: Authorship,
  slotId: string,
  event: MessageEvent,
  kept: ReturnType<NumberKeeper['message']>,
): Promise<boolean> {
  const revokedId = revokedBy(event.content);
  if (revokedId === undefined) return false;
  if (!event.fromMe && (await sent(slotId, revokedId))) return true;
  return book.reachesForAnothers(kept);
}
