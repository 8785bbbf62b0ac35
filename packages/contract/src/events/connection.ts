import { absenceFields } from '../resources/sessions.ts';
import { oneOf } from '../schema.ts';
import { EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const CONNECTION_CHANGES = ['connected', 'disconnected', 'logged_out'] as const;
export type ConnectionChange = (typeof CONNECTION_CHANGES)[number];

export const connectionEvent = eventKind({
  kind: 'connection',
  category: 'connection',
  chat: null,
  label: 'Connection',
  title: 'ConnectionEvent',
  description: 'The connection of a number changed.',
  properties: {
    session_id: SessionJid,
    event: oneOf(CONNECTION_CHANGES, {
      description: '`disconnected` skips brief drops; `logged_out` is final and needs pairing again.',
    }),
    timestamp_unix: EventTime,
    ...absenceFields,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    event: 'connected',
    timestamp_unix: 1_784_365_200,
  },
});
