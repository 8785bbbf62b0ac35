import type { EventOf } from '@parley/contract';
import type { CallEvent } from '#network';

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
