import Type from 'typebox';
import { kept, named } from '../schema.ts';
import { EventTime, SessionJid } from './fields.ts';

export const ContactLinkedEvent = named(
  'ContactLinkedEvent',
  {
    kind: Type.Literal('contact_linked'),
    session_id: SessionJid,
    lid: Type.String({
      ...kept,
      description: 'The address by which the person was told until now, and will be told further.',
      examples: ['245100123456789@lid'],
    }),
    jid: Type.String({
      ...kept,
      description: 'The same person by the phone number.',
      examples: ['15550002001@s.whatsapp.net'],
    }),
    timestamp_unix: EventTime,
  },
  {
    description:
      'The phone number of somebody has become known whose chat goes by an address that hides it. The chat keeps that address. Needs `contacts` in `extensions`.',
    examples: [
      {
        kind: 'contact_linked',
        session_id: '15550001001:1@s.whatsapp.net',
        lid: '245100123456789@lid',
        jid: '15550002001@s.whatsapp.net',
        timestamp_unix: 1_784_365_200,
      },
    ],
  },
);
