import type { EventOf } from '@parley/contract';
import type { ChannelMessageEvent } from '#network';

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
