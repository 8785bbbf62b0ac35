import Type from 'typebox';
import { content, kept, named, oneOf } from '../schema.ts';
import { EventTime, PersonAddress, SessionJid } from './fields.ts';

const CONTACT_EVENTS = ['picture', 'about'] as const;

export const ContactEvent = named(
  'ContactEvent',
  {
    kind: Type.Literal('contact'),
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
  {
    description:
      'Somebody whom the number knows has changed what they show of themselves. Needs `contacts` in `extensions`.',
    examples: [
      {
        kind: 'contact',
        session_id: '15550001001:1@s.whatsapp.net',
        contact_jid: '15550002001@s.whatsapp.net',
        event: 'about',
        about: 'At sea until Monday',
        timestamp_unix: 1_784_365_200,
      },
    ],
  },
);
