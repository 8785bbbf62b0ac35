import Type from 'typebox';
import { FailureReason } from '../resources/messages.ts';
import { kept, oneOf } from '../schema.ts';
import { EventTime, NetworkMessageId, RequestId, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const statusEvent = eventKind({
  kind: 'status',
  category: 'status',
  chat: 'to',
  label: 'Status',
  title: 'StatusEvent',
  description: 'The network acknowledged a message, or it failed for good.',
  properties: {
    session_id: SessionJid,
    request_id: RequestId,
    message_id: Type.String({
      ...kept,
      description: 'The id from the 202 answer.',
      examples: ['3EB0C767D71C5A4F1D2B'],
    }),
    network_message_id: Type.Optional(
      Type.String({ ...NetworkMessageId, description: 'On `sent`; later receipts carry it.' }),
    ),
    to: Type.String({ ...kept, description: 'Target JID.', examples: ['15550002001@s.whatsapp.net'] }),
    status: oneOf(['sent', 'failed']),
    reason: Type.Optional(FailureReason),
    detail: Type.Optional(
      Type.String({ ...kept, description: 'For people; it may change, do not parse it.' }),
    ),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    request_id: 'order-1042',
    message_id: '3EB0C767D71C5A4F1D2B',
    network_message_id: '3EB0C767D71C5A4F1D2B',
    to: '15550002001@s.whatsapp.net',
    status: 'sent',
    timestamp_unix: 1_784_365_201,
  },
});
