import { isGroup, type PublicEvent } from '@parley/contract';
import { userIdOf, waIdOf } from '../addresses.ts';
import { statusErrorOf } from '../from-fault.ts';
import { callbackDataIn } from '../send-key.ts';
import { formatWamid } from '../wamid.ts';

type StatusEvent = Extract<PublicEvent, { kind: 'status' }>;
type ReceiptEvent = Extract<PublicEvent, { kind: 'receipt' }>;

/** How far a message came that was sent through the gateway. */
export function statusOf(event: StatusEvent | ReceiptEvent): object {
  const { request_id, timestamp_unix } = event;
  const callbackData = callbackDataIn(request_id);
  const to = event.kind === 'status' ? event.to : event.recipient_jid;
  const told = {
    id: formatWamid({ fromMe: true, id: messageIdOf(event) }),
    status: event.kind === 'status' ? event.status : event.receipt_type,
    timestamp: String(timestamp_unix),
    ...recipientOf(to),
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
  };
  if (event.kind === 'receipt' || event.status === 'sent') return { statuses: [told] };
  return { statuses: [{ ...told, errors: [statusErrorOf(event.reason, event.detail)] }] };
}

function messageIdOf(event: StatusEvent | ReceiptEvent): string {
  return event.kind === 'status' ? event.message_id : event.network_message_id;
}

function recipientOf(jid: string): Record<string, string> {
  if (isGroup(jid)) return { recipient_id: jid, recipient_type: 'group' };
  const [waId, userId] = [waIdOf(jid), userIdOf(jid)];
  return {
    ...(waId !== undefined && { recipient_id: waId }),
    ...(userId !== undefined && { recipient_user_id: userId }),
  };
}
