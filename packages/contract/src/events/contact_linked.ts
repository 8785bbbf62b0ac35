import Type from 'typebox';
import { kept } from '../schema.ts';
import { EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const contactLinkedEvent = eventKind({
  kind: 'contact_linked',
  category: 'events',
  chat: 'lid',
  extension: 'contacts',
  guide:
    'the number (`jid`) behind a chat with a hidden number (`lid`) has become known; the chat keeps its address',
  label: 'Number known',
  title: 'ContactLinkedEvent',
  description:
    'The phone number behind a chat with a hidden number has become known. The chat keeps its address. Needs `contacts` in `extensions`.',
  properties: {
    session_id: SessionJid,
    lid: Type.String({
      ...kept,
      description: 'Address of the person in events, before and after this one.',
      examples: ['245100123456789@lid'],
    }),
    jid: Type.String({
      ...kept,
      description: 'The same person by the phone number.',
      examples: ['15550002001@s.whatsapp.net'],
    }),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    lid: '245100123456789@lid',
    jid: '15550002001@s.whatsapp.net',
    timestamp_unix: 1_784_365_200,
  },
});
