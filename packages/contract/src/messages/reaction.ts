import Type from 'typebox';
import { emojiComplaint } from '../emoji.ts';
import { isGroup } from '../jid.ts';
import { EMOJI_MAX_LENGTH } from '../limits.ts';
import { MessageId } from '../primitives.ts';
import { oneLine } from '../schema.ts';
import { complaint } from '../validate/complaint.ts';
import { addressed, Participant, sendKind } from './kind.ts';

export const reaction = sendKind({
  kind: 'reaction',
  plan: 'pro',
  label: 'reactions',
  guide:
    'An empty `emoji` takes it back. In groups it also needs `reacted_participant`, and `reacted_from_me` where the message was your own.',
  title: 'SendReaction',
  summary: 'Reaction',
  description: 'In groups say whose message it is: `reacted_participant`, or `reacted_from_me: true`.',
  properties: {
    ...addressed,
    type: Type.Literal('reaction'),
    reacted_message_id: MessageId,
    emoji: Type.String({
      maxLength: EMOJI_MAX_LENGTH,
      ...oneLine,
      description: 'One emoji; empty removes the reaction.',
    }),
    reacted_participant: Type.Optional(Participant),
    reacted_from_me: Type.Optional(Type.Boolean({ description: 'True for a message sent by this session.' })),
  },
  rule: ({ to, emoji, reacted_participant, reacted_from_me }) =>
    isGroup(to) && reacted_participant === undefined && reacted_from_me !== true
      ? complaint(
          'reacted_participant',
          'reacted_participant is required in a group unless reacted_from_me is true',
        )
      : emojiComplaint('emoji', emoji),
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'reaction',
    reacted_message_id: '3EB0C767D71C5A4F1D2B',
    emoji: '👍',
  },
});
