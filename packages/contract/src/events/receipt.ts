import Type from 'typebox';
import { kept, oneOf } from '../schema.ts';
import { EventTime, NetworkMessageId, PersonAddress, RequestId, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const RECEIPT_TYPES = ['delivered', 'read', 'played'] as const;

export const receiptEvent = eventKind({
  kind: 'receipt',
  category: 'status',
  chat: 'recipient_jid',
  label: 'Receipt',
  title: 'ReceiptEvent',
  description: 'A recipient received, read or played a message that was sent through the gateway.',
  properties: {
    session_id: SessionJid,
    request_id: RequestId,
    message_id: Type.Optional(Type.String({ ...kept, description: 'The id from the answer to the send.' })),
    network_message_id: NetworkMessageId,
    recipient_jid: PersonAddress,
    receipt_type: oneOf(RECEIPT_TYPES),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    request_id: 'order-1042',
    message_id: '3EB0C767D71C5A4F1D2B',
    network_message_id: '3EB0C767D71C5A4F1D2B',
    recipient_jid: '15550002001@s.whatsapp.net',
    receipt_type: 'read',
    timestamp_unix: 1_784_365_260,
  },
});
