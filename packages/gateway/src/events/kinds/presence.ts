import type { EventOf } from '@parley/contract';
import type { PresenceEvent } from '#network';

export function presenceEvent(sessionId: string, event: PresenceEvent): EventOf<'presence'> {
  return {
    kind: 'presence',
    session_id: sessionId,
    contact_jid: event.contact,
    online: event.online,
    ...(event.lastSeen !== undefined && !event.online && { last_seen_unix: event.lastSeen }),
  };
}
