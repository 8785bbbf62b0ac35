import type { EventOf } from '@parley/contract';
import type { ReceiptEvent } from '#network';

/** `requestId`: the Idempotency-Key of the send. */
export function receiptEvent(sessionId: string, event: ReceiptEvent, requestId: string): EventOf<'receipt'> {
  return {
    kind: 'receipt',
    session_id: sessionId,
    request_id: requestId,
    network_message_id: event.messageId,
    recipient_jid: event.recipient,
    receipt_type: event.type,
    timestamp_unix: event.timestamp,
  };
}
