import type { EventOf, InboundType, InboundMedia as PublicMedia } from '@parley/contract';
import type {
  CallEvent,
  ChannelMessageEvent,
  InboundContent,
  MessageEvent,
  PollVoteEvent,
  PresenceEvent,
  Quote,
  ReceiptEvent,
  TypingEvent,
} from '#network';

/** `requestId`: the Idempotency-Key of the send. */
export function receiptEvent(sessionId: string, event: ReceiptEvent, requestId: string): EventOf<'receipt'> {
  return {
    kind: 'receipt',
    session_id: sessionId,
    request_id: requestId,
    message_id: event.messageId,
    network_message_id: event.messageId,
    recipient_jid: event.recipient,
    receipt_type: event.type,
    timestamp_unix: event.timestamp,
  };
}

export function pollVoteEvent(sessionId: string, event: PollVoteEvent): EventOf<'poll_vote'> {
  return {
    kind: 'poll_vote',
    session_id: sessionId,
    voter_jid: event.voter,
    chat_jid: event.chat,
    poll_message_id: event.pollMessageId,
    selected_hashes: [...event.selectedHashes],
    ...(event.selectedOptions && { selected_options: [...event.selectedOptions] }),
    timestamp_unix: event.timestamp,
  };
}

export function newsletterMessageEvent(
  sessionId: string,
  event: ChannelMessageEvent,
): EventOf<'newsletter_message'> {
  return {
    kind: 'newsletter_message',
    session_id: sessionId,
    newsletter_jid: event.channel,
    server_id: event.serverId,
    message_id: event.messageId,
    type: event.type,
    text: event.text,
    timestamp_unix: event.timestamp,
  };
}

export function typingEvent(sessionId: string, event: TypingEvent): EventOf<'typing'> {
  return {
    kind: 'typing',
    session_id: sessionId,
    sender_jid: event.sender,
    chat_jid: event.chat,
    is_group: event.isGroup,
    typing: event.typing,
    media: event.media,
  };
}

export function presenceEvent(sessionId: string, event: PresenceEvent): EventOf<'presence'> {
  return {
    kind: 'presence',
    session_id: sessionId,
    contact_jid: event.contact,
    online: event.online,
    ...(event.lastSeen !== undefined && !event.online && { last_seen_unix: event.lastSeen }),
  };
}

export function callEvent(sessionId: string, event: CallEvent): EventOf<'call'> {
  return {
    kind: 'call',
    session_id: sessionId,
    call_id: event.callId,
    from_jid: event.from,
    event: event.event,
    video: event.video,
    ...(event.reason !== undefined && event.event === 'terminate' && { reason: event.reason }),
    rejected: event.rejected,
    timestamp_unix: event.timestamp,
  };
}

/** The fields that depend on what was sent. */
type ContentFields = Pick<
  EventOf<'message'>,
  | 'type'
  | 'text'
  | 'location'
  | 'poll'
  | 'button_response'
  | 'reacted_message_id'
  | 'edited_message_id'
  | 'revoked_message_id'
  | 'contacts'
  | 'event_response'
  | 'unreadable_update'
  | 'unavailable'
>;

/** `media`: outcome of the file's download, if the message has a file. */
export function messageEvent(
  sessionId: string,
  event: MessageEvent,
  media: PublicMedia | undefined,
): EventOf<'message'> {
  const { type, text, ...details } = contentFields(event.content);
  return {
    kind: 'message',
    message_id: event.messageId,
    session_id: sessionId,
    ...(event.fromMe && { from_me: true }),
    sender_jid: event.sender,
    ...(event.senderPhone !== undefined && { sender_phone: event.senderPhone }),
    ...(event.senderLid !== undefined && { sender_lid: event.senderLid }),
    ...(event.senderUsername !== undefined && { sender_username: event.senderUsername }),
    sender_name: event.senderName,
    chat_jid: event.chat,
    is_group: event.isGroup,
    type,
    text,
    timestamp_unix: event.timestamp,
    broadcast: event.broadcast,
    ...(media && { media }),
    ...details,
    ...markFields(event),
  };
}

function contentFields(content: InboundContent): ContentFields {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'other':
      return otherFields(content);
    case 'reaction':
      return { type: 'reaction', text: content.emoji, reacted_message_id: content.targetId };
    case 'location': {
      const { latitude, longitude, name, address, live } = content;
      return plain('location', {
        location: {
          latitude,
          longitude,
          ...(name !== undefined && { name }),
          ...(address !== undefined && { address }),
          ...(live && { live }),
        },
      });
    }
    case 'poll': {
      const { name, options, selectableCount, editedId } = content;
      return plain('poll', {
        poll: { name, options: [...options], selectable_count: selectableCount },
        ...(editedId !== undefined && { edited_message_id: editedId }),
      });
    }
    case 'button_response': {
      const { selectedId, selectedText, paramsJson } = content;
      return {
        type: 'button_response',
        text: selectedText,
        button_response: {
          selected_id: selectedId,
          selected_text: selectedText,
          ...(paramsJson !== undefined && { params_json: paramsJson }),
        },
      };
    }
    default:
      return { type: content.kind, text: content.caption ?? '' };
  }
}

function plain(type: InboundType, details: Partial<ContentFields>): ContentFields {
  return { type, text: '', ...details };
}

function otherFields(content: Extract<InboundContent, { kind: 'other' }>): ContentFields {
  const { kind: type, text, editedId, revokedId, contacts, eventResponse, unreadable, unavailable } = content;
  return {
    type,
    text,
    ...(editedId !== undefined && { edited_message_id: editedId }),
    ...(revokedId !== undefined && { revoked_message_id: revokedId }),
    ...(contacts && { contacts: contacts.map((card) => ({ ...card, phones: [...card.phones] })) }),
    ...(eventResponse && {
      event_response: {
        message_id: eventResponse.targetId,
        response: eventResponse.response,
        extra_guests: eventResponse.extraGuests,
      },
    }),
    ...(unreadable && {
      unreadable_update: { update: unreadable.update, message_id: unreadable.targetId },
    }),
    ...(unavailable && { unavailable }),
  };
}

function markFields(event: MessageEvent): Partial<EventOf<'message'>> {
  const { quote, mentions, forwarded, ephemeralSeconds, viewOnce } = event;
  return {
    ...(quote && quoteFields(quote)),
    ...(mentions && { mentions: [...mentions] }),
    ...(forwarded && { forwarded }),
    ...(ephemeralSeconds !== undefined && { ephemeral_seconds: ephemeralSeconds }),
    ...(viewOnce && { view_once: viewOnce }),
  };
}

function quoteFields(quote: Quote): Partial<EventOf<'message'>> {
  return {
    quoted_message_id: quote.messageId,
    ...(quote.participant !== undefined && { quoted_participant: quote.participant }),
    quoted_text: quote.text ?? '',
  };
}
