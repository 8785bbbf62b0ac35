import Type from 'typebox';
import { content, kept } from '../schema.ts';
import { EventTime, NetworkMessageId, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const newsletterMessageEvent = eventKind({
  kind: 'newsletter_message',
  category: 'events',
  chat: 'newsletter_jid',
  label: 'Channel message',
  title: 'NewsletterMessageEvent',
  description: 'A followed channel posted a message.',
  properties: {
    session_id: SessionJid,
    newsletter_jid: Type.String({ ...kept, examples: ['120363107654321098@newsletter'] }),
    server_id: Type.Integer({ ...kept, description: 'Needed, with `message_id`, to react.' }),
    message_id: NetworkMessageId,
    type: Type.String({ ...kept, description: 'May be empty.' }),
    text: Type.String({ ...content, description: 'Empty when the update carries only ids.' }),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    newsletter_jid: '120363107654321098@newsletter',
    server_id: 118,
    message_id: '3EB0C767D71C5A4F1D2B',
    type: 'text',
    text: 'The 9 o’clock ferry is on time.',
    timestamp_unix: 1_784_365_200,
  },
});
