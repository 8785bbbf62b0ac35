import {
  type Bubble,
  type BubbleContent,
  type Button,
  type ChannelMessage,
  type Content,
  directJid,
  type MediaRef,
  optionHash,
  type Person,
  textOf,
  userJid,
} from '../world/index.ts';
import { memberJid, unix } from './views.ts';

/** A bubble as `GET /phones/{phone}/messages` shows it. */
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

/** A post in a channel, in the same shape; its reactions are counted, not named. */
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

/** What a message says beyond its text. */
function details(content: Content, votes: Bubble['votes'], addressOf: AddressOf): object {
  return { ...marks(content), ...ownDetails(content, votes, addressOf) };
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

function ownDetails(content: Content, votes: Bubble['votes'], addressOf: AddressOf): object {
  switch (content.type) {
    case 'text':
      return content.linkPreview ? { link_preview: content.linkPreview } : {};
    case 'image':
    case 'video':
    case 'audio':
      return { media: mediaView(content.media), ...(content.viewOnce && { view_once: true }) };
    case 'sticker':
      return { media: mediaView(content.media) };
    case 'document':
      return { media: { ...mediaView(content.media), filename: content.fileName } };
    case 'location': {
      const { latitude, longitude, name = '', address = '', live } = content;
      return { location: { latitude, longitude, name, address, ...(live && { live }) } };
    }
    case 'contact':
      return { contact: { display_name: content.displayName, vcard: content.vcard } };
    case 'poll':
      return {
        poll: {
          name: content.name,
          options: content.options,
          selectable_count: content.selectableCount,
          votes: votes.map(({ person, hashes }) => ({
            jid: addressOf(person),
            options: content.options.filter((option) => hashes.includes(optionHash(option))),
          })),
        },
      };
    case 'group_invite':
      return { group_invite: { group_jid: content.group, code: content.code, name: content.name } };
    case 'interactive':
      return {
        interactive: {
          body: content.body,
          footer: content.footer ?? '',
          buttons: content.buttons.map(buttonView),
        },
      };
    case 'button_response':
      return {
        button_response: {
          message_id: content.target,
          selected_id: content.id,
          selected_text: content.text,
          params_json: content.paramsJson ?? '',
        },
      };
    case 'disappearing':
      return { disappearing_seconds: content.seconds };
    default:
      return {};
  }
}

/** The id of a file is the SHA-256 of its bytes, so a test can compare without downloading. */
const mediaView = ({ id, mimetype, size }: MediaRef) => ({ mimetype, file_length: size, sha256: id });

function buttonView(button: Button): object {
  const { type, text: display_text } = button;
  switch (button.type) {
    case 'quick_reply':
      return { type, display_text, id: button.id };
    case 'cta_url':
      return { type, display_text, url: button.url };
    case 'cta_copy':
      return { type, display_text, copy_code: button.copyCode };
    case 'cta_call':
      return { type, display_text, phone_number: button.phoneNumber };
    case 'single_select':
      return { type, display_text, sections: button.sections };
  }
}
