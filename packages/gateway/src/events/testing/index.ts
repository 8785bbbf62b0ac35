import type { EventOf, PublicEvent } from '@parley/contract';
import { systemRandom } from '#kernel';

export const MASTER_KEY = systemRandom.bytes(32);

/** What a store needs to read out of this room. */
export const READINGS = {
  readingModules: [new URL('../readings.ts', import.meta.url)],
  masterKeys: [MASTER_KEY],
};

/** A text that came in. */
export function textEvent(messageId: string, text = 'Hello'): Extract<PublicEvent, { kind: 'message' }> {
  return {
    kind: 'message',
    message_id: messageId,
    session_id: '15550001001:1@s.whatsapp.net',
    sender_jid: '15550002001@s.whatsapp.net',
    sender_name: 'Ben',
    chat_jid: '15550002001@s.whatsapp.net',
    is_group: false,
    type: 'text',
    text,
    timestamp_unix: 1_784_365_200,
    broadcast: false,
  };
}

/** An event of an extension. */
export const HEALTH_EVENT: EventOf<'health'> = {
  kind: 'health',
  session_id: '15550001001:1@s.whatsapp.net',
  previous_state: 'watch',
  state: 'healthy',
  since_unix: 1_784_365_200,
  advice: [],
  timestamp_unix: 1_784_365_200,
};
