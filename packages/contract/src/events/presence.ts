import Type from 'typebox';
import { kept } from '../schema.ts';
import { PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const presenceEvent = eventKind({
  kind: 'presence',
  category: 'events',
  chat: 'contact_jid',
  label: 'Presence',
  title: 'PresenceEvent',
  description: 'A contact went online or offline. Only after subscribing to that contact.',
  properties: {
    session_id: SessionJid,
    contact_jid: PersonAddress,
    online: Type.Boolean(),
    last_seen_unix: Type.Optional(
      Type.Integer({ ...kept, description: 'Unix seconds; 0 or absent while online or when hidden.' }),
    ),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    contact_jid: '15550002001@s.whatsapp.net',
    online: false,
    last_seen_unix: 1_784_365_100,
  },
});
