import type { EventOf } from '@parley/contract';
import type { TypingEvent } from '#network';

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
