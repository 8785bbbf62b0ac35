import type { EventOf, InboundType, InboundMedia as PublicMedia } from '@parley/contract';
import type { InboundContent, MessageEvent } from '#network';

/** The fields that depend on what was sent. */
type ContentFields = Pick<
  EventOf<'message'>,
  'type' | 'text' | 'location' | 'poll' | 'button_response' | 'reacted_message_id'
>;

/** `media`: what became of the file that came with it, if one did. */
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
    sender_jid: event.sender,
    ...(event.senderPhone !== undefined && { sender_phone: event.senderPhone }),
    sender_name: event.senderName,
    chat_jid: event.chat,
    is_group: event.isGroup,
    type,
    text,
    timestamp_unix: event.timestamp,
    broadcast: event.broadcast,
    ...(media && { media }),
    ...details,
    ...quoteFields(event),
  };
}

function contentFields(content: InboundContent): ContentFields {
  switch (content.kind) {
    case 'text':
    case 'other':
      return { type: content.kind, text: content.text };
    case 'reaction':
      return { type: 'reaction', text: content.emoji, reacted_message_id: content.targetId };
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return plain('location', {
        location: {
          latitude,
          longitude,
          ...(name !== undefined && { name }),
          ...(address !== undefined && { address }),
        },
      });
    }
    case 'poll': {
      const { name, options, selectableCount } = content;
      return plain('poll', { poll: { name, options: [...options], selectable_count: selectableCount } });
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

function quoteFields({ quote }: MessageEvent): Partial<EventOf<'message'>> {
  if (!quote) return {};
  return {
    quoted_message_id: quote.messageId,
    ...(quote.participant !== undefined && { quoted_participant: quote.participant }),
    quoted_text: quote.text ?? '',
  };
}
