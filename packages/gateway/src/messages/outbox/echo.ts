import {
  bareJid,
  DISAPPEARING_SECONDS,
  type EventOf,
  parseJid,
  type SendRequest,
  STATUS_JID,
} from '@parley/contract';
import type { Histories } from '#history';
import { type SealedBox, warnOf } from '#kernel';
import { phonesIn } from '#network';
import { openSend } from '../sealed-send.ts';
import type { Echo, EndingMessage, SentMessage } from './outcome.ts';

type OwnMessage = EventOf<'message'>;
/** The one form of a chat's address, as the session that sends knows it. */
export type ChatOf = (jid: string) => Promise<string>;

type Said = Pick<OwnMessage, 'type' | 'text'> & Partial<OwnMessage>;

/** Undefined when nobody takes it. What was sent can be opened, but for a master key that was taken away since. */
export async function wantedEcho(
  { sealedBox, histories }: { sealedBox: Pick<SealedBox, 'open'>; histories: Pick<Histories, 'of'> },
  head: SentMessage,
  now: number,
  chatOf: ChatOf,
): Promise<Echo | undefined> {
  const isAskedFor = Number(head.asking) > 0;
  const keeper = histories.of(head.slot_id);
  if (!isAskedFor && !keeper) return undefined;
  try {
    const chat = await chatOf(head.to_jid);
    const send = openSend(sealedBox, head);
    const byAdmin = send.kind === 'revoke' && send.revoked_from_me !== true;
    return { event: echoOf(send, head, chat, now), byAdmin, isAskedFor, keeper };
  } catch (error) {
    warnOf('what was sent could not be told as an event')(error);
    return undefined;
  }
}

/** A message that was sent through the API, as it is told to those who want to hear of all that the number writes. Without its file: they gave it. */
function echoOf(send: SendRequest, head: EndingMessage, chat: string, now: number): OwnMessage {
  const me = bareJid(head.session_id);
  const { type, text, ...said } = saidBy(send);
  return {
    kind: 'message',
    message_id: head.message_id,
    session_id: head.session_id,
    from_me: true,
    request_id: head.request_id,
    sender_jid: me,
    sender_phone: me,
    sender_name: '',
    chat_jid: chat,
    is_group: parseJid(chat)?.kind === 'group',
    type,
    text,
    timestamp_unix: Math.floor(now / 1_000),
    broadcast: head.to_jid === STATUS_JID,
    ...said,
  };
}

function saidBy(send: SendRequest): Said {
  switch (send.kind) {
    case 'text':
      return { type: 'text', text: send.text, ...besides(send) };
    case 'media':
      return { type: send.media_type, text: send.caption ?? '', ...besides(send) };
    case 'sticker':
      return { type: 'sticker', text: '' };
    case 'text_status':
      return { type: 'text', text: send.text };
    case 'media_status':
      return { type: send.status_type, text: send.caption ?? '' };
    case 'location': {
      const { latitude, longitude, loc_name: name, loc_address: address } = send;
      return {
        type: 'location',
        text: '',
        location: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
      };
    }
    case 'contact': {
      const { display_name: name, vcard } = send;
      return { type: 'other', text: name, contacts: [{ name, phones: phonesIn(vcard), vcard }] };
    }
    case 'reaction':
      return { type: 'reaction', text: send.emoji, reacted_message_id: send.reacted_message_id };
    case 'edit':
      return { type: 'other', text: send.text, edited_message_id: send.edit_message_id };
    case 'revoke':
      return { type: 'other', text: '', revoked_message_id: send.revoked_message_id };
    case 'poll': {
      const { poll_name: name, poll_options: options, poll_selectable_count = 0 } = send;
      return { type: 'poll', text: '', poll: { name, options, selectable_count: poll_selectable_count } };
    }
    case 'disappearing':
      return { type: 'other', text: '', ephemeral_seconds: DISAPPEARING_SECONDS[send.disappearing_timer] };
    case 'group_invite':
      return { type: 'other', text: send.caption ?? '' };
    case 'interactive':
      return { type: 'other', text: send.interactive_body };
  }
}

function besides(send: Extract<SendRequest, { kind: 'text' | 'media' }>): Partial<OwnMessage> {
  const { quoted_message_id, quoted_participant, quoted_text = '', forwarded, mentions = [] } = send;
  return {
    ...(quoted_message_id !== undefined && {
      quoted_message_id,
      ...(quoted_participant && { quoted_participant }),
      quoted_text,
    }),
    ...(forwarded && { forwarded }),
    ...(mentions.length > 0 && { mentions }),
  };
}
