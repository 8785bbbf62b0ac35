import Type from 'typebox';
import { content } from '../schema.ts';
import { ChatAddress, EventTime, NetworkMessageId, PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const pollVoteEvent = eventKind({
  kind: 'poll_vote',
  category: 'events',
  chat: 'chat_jid',
  label: 'Poll vote',
  title: 'PollVoteEvent',
  description:
    'A person voted in a poll. Without `selected_options`, hash each option text and compare to find the chosen ones.',
  properties: {
    session_id: SessionJid,
    voter_jid: PersonAddress,
    chat_jid: ChatAddress,
    poll_message_id: NetworkMessageId,
    selected_hashes: Type.Array(Type.String(content), {
      description: 'Hex SHA-256 of the text of each chosen option; empty = vote withdrawn.',
    }),
    selected_options: Type.Optional(
      Type.Array(Type.String(content), {
        description: 'The same as texts, where the poll was sent or seen by this number.',
      }),
    ),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    voter_jid: '15550002001@s.whatsapp.net',
    chat_jid: '15550002001@s.whatsapp.net',
    poll_message_id: '3EB0C767D71C5A4F1D2B',
    selected_hashes: ['85a39ab345d672ff8ca9b9c6876f3adcacf45ee7c1e2dbd2408fd338bd55e07e'],
    selected_options: ['Yes'],
    timestamp_unix: 1_784_365_200,
  },
});
