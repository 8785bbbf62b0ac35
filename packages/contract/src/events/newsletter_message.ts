import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { named } from '../schema.ts';
import { NetworkMessageId, SessionJid } from './fields.ts';

export const NewsletterMessageEvent = named(
  'NewsletterMessageEvent',
  {
    kind: Type.Literal('newsletter_message'),
    session_id: SessionJid,
    newsletter_jid: Type.String({ examples: ['120363107654321098@newsletter'] }),
    server_id: Type.Integer({ description: 'Needed, with `message_id`, to react.' }),
    message_id: NetworkMessageId,
    type: Type.String({ description: 'May be empty.' }),
    text: Type.String({ description: 'Empty when the update carries only ids.' }),
    timestamp_unix: UnixSeconds,
  },
  {
    description: 'A followed channel posted a message.',
    examples: [
      {
        kind: 'newsletter_message',
        session_id: '15550001001:1@s.whatsapp.net',
        newsletter_jid: '120363107654321098@newsletter',
        server_id: 118,
        message_id: '3EB0C767D71C5A4F1D2B',
        type: 'text',
        text: 'The 9 o’clock ferry is on time.',
        timestamp_unix: 1_784_365_200,
      },
    ],
  },
);
export type NewsletterMessageEvent = Type.Static<typeof NewsletterMessageEvent>;
