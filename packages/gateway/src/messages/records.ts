import type { MessageRecord } from '@parley/contract';
import { parseSessionId } from '@parley/contract';
import type { Caller } from '#http';
import { fault } from '#kernel';
import type { MessageRow, Store } from '#store';

/** How far a message came; no content. */
export async function findMessage(store: Store, caller: Caller, messageId: string): Promise<MessageRecord> {
  const row = await store.read
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', messageId)
    .where('account_id', '=', caller.accountId)
    .executeTakeFirst();
  if (!row) throw fault('message_not_found');
  if (caller.phone !== null && parseSessionId(row.session_id)?.phone !== caller.phone)
    throw fault('key_restricted');
  return publicRecord(row);
}

export function publicRecord(row: MessageRow): MessageRecord {
  const left = row.status !== 'accepted' && row.status !== 'failed';
  return {
    message_id: row.id,
    request_id: row.request_id,
    session_id: row.session_id,
    to: row.to_jid,
    type: row.type,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(left ? { network_message_id: row.id } : {}),
    accepted_at_unix: Math.floor(row.accepted_at / 1_000),
    updated_at_unix: Math.floor(row.updated_at / 1_000),
  };
}
