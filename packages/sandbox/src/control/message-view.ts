import {
  type Bubble,
  type BubbleContent,
  type ChannelMessage,
  type Content,
  directJid,
  type Person,
  textOf,
  userJid,
} from '../world/index.ts';
import { contentView } from './contents.ts';
import { memberJid, unix } from './views.ts';

/** A message as `GET /phones/{phone}/messages` shows it. */
export function messageView(bubble: Bubble) {
  const { content, edited, revoked, chat } = bubble;
  const addressOf = chat.kind === 'group' ? memberJid : directJid;
  return {
    message_id: bubble.id,
    chat_jid: chat.jid,
    sender_jid: addressOf(bubble.sender),
    sender_phone: userJid(bubble.sender.phone),
    from_me: bubble.fromMe,
    is_group: chat.kind === 'group',
    broadcast: chat.kind === 'status',
    type: content.type,
    text: revoked ? '' : (edited?.text ?? textOf(content)),
    ...(revoked || content.type === 'waiting' ? {} : details(content, bubble.votes, addressOf)),
    timestamp_unix: unix(bubble.at),
    expires_in_seconds: bubble.expiresInSeconds,
    receipts: bubble.receipts.map(({ person, type, at }) => ({
      jid: addressOf(person),
      type,
      timestamp_unix: unix(at),
    })),
    edited: edited !== undefined,
    revoked: revoked !== undefined,
    ...(bubble.starred && { starred: true }),
    reactions: bubble.reactions.map(({ person, emoji, at }) => ({
      jid: addressOf(person),
      emoji,
      timestamp_unix: unix(at),
    })),
  };
}

/** A post of a channel, in the same shape; its reactions are counted, not listed. */
export function channelMessageView(message: ChannelMessage, fromMe: boolean) {
  return {
    message_id: message.id,
    server_id: message.serverId,
    chat_jid: message.channel,
    sender_jid: message.channel,
    from_me: fromMe,
    is_group: false,
    broadcast: false,
    type: message.content.type,
    text: textOf(message.content),
    ...details(message.content, [], directJid),
    timestamp_unix: unix(message.at),
    receipts: [],
    edited: false,
    revoked: false,
    reactions: Object.entries(message.reactions).map(([emoji, count]) => ({ emoji, count })),
  };
}

type AddressOf = (person: Person) => string;

/** Fields of a message beyond its text. */
function details(content: Content, votes: Bubble['votes'], addressOf: AddressOf): object {
  return { ...marks(content), ...contentView(content, { votes, addressOf }) };
}

function marks(content: Content): object {
  if (!('quote' in content || 'forwarded' in content || 'mentions' in content)) return {};
  const { quote, forwarded, mentions }: Partial<BubbleContent> = content;
  return {
    ...(forwarded && { forwarded }),
    ...(mentions && { mentions: mentions.map(userJid) }),
    ...(quote && {
      quoted_message_id: quote.id,
      quoted_participant: quote.sender === undefined ? '' : userJid(quote.sender),
      quoted_text: quote.text,
    }),
  };
}
