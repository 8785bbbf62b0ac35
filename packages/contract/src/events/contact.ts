import Type from 'typebox';
import { content, kept, oneOf } from '../schema.ts';
import { EventTime, PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const CONTACT_EVENTS = ['picture', 'about'] as const;

export const contactEvent = eventKind({
  kind: 'contact',
  category: 'events',
  chat: 'contact_jid',
  extension: 'contacts',
  guide: 'a contact has a new picture or About text',
  label: 'Contact',
  title: 'ContactEvent',
  description:
    'A contact of the number has changed their picture or About text. Needs `contacts` in `extensions`.',
  properties: {
    session_id: SessionJid,
    contact_jid: PersonAddress,
    event: oneOf(CONTACT_EVENTS, { description: 'What has changed.' }),
    picture_id: Type.Optional(
      Type.String({
        ...kept,
        description: 'Of `picture`; absent when it was removed.',
        examples: ['1784365200'],
      }),
    ),
    about: Type.Optional(Type.String({ ...content, description: 'Of `about`: the new text.' })),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    contact_jid: '15550002001@s.whatsapp.net',
    event: 'about',
    about: 'At sea until Monday',
    timestamp_unix: 1_784_365_200,
  },
});
