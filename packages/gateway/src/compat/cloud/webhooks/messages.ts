import { parseJid } from '@parley/contract';
import { userIdOf, waIdOf } from '../addresses.ts';
import { formatWamid } from '../wamid.ts';
import { contentOf, type MessageEvent } from './contents.ts';

/** Whether the number itself has sent that message through the gateway. */
export type IsOwn = (messageId: string) => Promise<boolean>;

/** An incoming message; undefined for what this surface has no word for: stories, and what the number itself wrote. */
export async function messageOf(event: MessageEvent, isOwn: IsOwn): Promise<object | undefined> {
  if (event.broadcast || event.from_me) return undefined;
  const sender = senderOf(event);
  const [reactedToOwn, quotesOwn] = await Promise.all(
    [event.reacted_message_id, event.quoted_message_id].map((id) => id !== undefined && isOwn(id)),
  );
  const context = contextOf(event, quotesOwn === true);
  return {
    contacts: [
      {
        profile: {
          name: event.sender_name,
          ...(event.sender_username && { username: event.sender_username }),
        },
        ...(sender.waId !== undefined && { wa_id: sender.waId }),
        ...(sender.userId !== undefined && { user_id: sender.userId }),
      },
    ],
    messages: [
      {
        ...(sender.waId !== undefined && { from: sender.waId }),
        ...(sender.userId !== undefined && { from_user_id: sender.userId }),
        ...(event.is_group && { group_id: event.chat_jid }),
        id: wamidIn(event, event.message_id, event.sender_jid),
        timestamp: String(event.timestamp_unix),
        ...(context && { context }),
        ...contentOf(event, (id) =>
          // In a group nobody says whose message it was; then it is taken for one of whoever reacted.
          reactedToOwn ? formatWamid({ fromMe: true, id }) : wamidIn(event, id, event.sender_jid),
        ),
      },
    ],
  };
}

function senderOf({ sender_jid, sender_phone, sender_lid }: MessageEvent): {
  readonly waId: string | undefined;
  readonly userId: string | undefined;
} {
  return { waId: waIdOf(sender_phone ?? sender_jid), userId: userIdOf(sender_lid ?? sender_jid) };
}

function wamidIn({ chat_jid, is_group }: MessageEvent, id: string, writer: string): string {
  return formatWamid({ fromMe: false, id, chat: chat_jid, participant: is_group ? writer : undefined });
}

/** Which message it answers, and whether it was written elsewhere. */
function contextOf(event: MessageEvent, quotesOwn: boolean): object | undefined {
  const { quoted_message_id: id, quoted_participant: writer, forwarded } = event;
  if (id === undefined) return forwarded ? { forwarded: true } : undefined;
  const theirs = !quotesOwn && writer !== undefined && isAnother(event, writer) ? writer : undefined;
  const from = theirs === undefined ? parseJid(event.session_id)?.user : waIdOf(theirs);
  return {
    ...(forwarded && { forwarded: true }),
    ...(from !== undefined && { from }),
    id: theirs === undefined ? formatWamid({ fromMe: true, id }) : wamidIn(event, id, theirs),
  };
}

/** In a chat of two, whoever is not the other one is the number itself, whichever of its addresses is named. */
function isAnother(event: MessageEvent, writer: string): boolean {
  if (event.is_group) return waIdOf(writer) !== parseJid(event.session_id)?.user;
  return [event.chat_jid, event.sender_jid, event.sender_phone, event.sender_lid].includes(writer);
}
