import type { EventOf } from '@parley/contract';
import type { PollVoteEvent } from '#network';

export function pollVoteEvent(sessionId: string, event: PollVoteEvent): EventOf<'poll_vote'> {
  return {
    kind: 'poll_vote',
    session_id: sessionId,
    voter_jid: event.voter,
    chat_jid: event.chat,
    poll_message_id: event.pollMessageId,
    selected_hashes: [...event.selectedHashes],
    timestamp_unix: event.timestamp,
  };
}
