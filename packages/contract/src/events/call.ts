import Type from 'typebox';
import { kept, oneOf } from '../schema.ts';
import { EventTime, PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const callEvent = eventKind({
  kind: 'call',
  category: 'events',
  chat: 'from_jid',
  label: 'Call',
  title: 'CallEvent',
  description: 'An incoming call began or ended. Calls are forwarded whether or not they are rejected.',
  properties: {
    session_id: SessionJid,
    call_id: Type.String(kept),
    from_jid: PersonAddress,
    event: oneOf(['offer', 'terminate']),
    video: Type.Boolean(),
    reason: Type.Optional(
      Type.String({ ...kept, description: 'On `terminate`, when the network gives one.' }),
    ),
    rejected: Type.Boolean({ description: 'True when auto-reject rejected it.' }),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    call_id: '5F1D8A2C9B3E4F60',
    from_jid: '15550002001@s.whatsapp.net',
    event: 'offer',
    video: false,
    rejected: true,
    timestamp_unix: 1_784_365_200,
  },
});
