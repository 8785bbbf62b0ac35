import { bareJid, type SendRequest } from '@parley/contract';
import type { Store } from '#store';
import type { QueuedMessage } from './store.ts';

/**
 * Completes a reply that does not say whose words it quotes. In a direct chat the network takes those for the other person's, which is
 * wrong when the number answers itself.
 */
export async function withQuotedAuthor(
  store: Store,
  { slot_id, session_id }: QueuedMessage,
  send: SendRequest,
): Promise<SendRequest> {
  if (!('quoted_message_id' in send) || send.quoted_message_id === undefined || send.quoted_participant) {
    return send;
  }
  const own = await store.read
    .selectFrom('messages')
    .select('id')
    .where('id', '=', send.quoted_message_id)
    .where('slot_id', '=', slot_id)
    .executeTakeFirst();
  return own ? { ...send, quoted_participant: bareJid(session_id) } : send;
}
