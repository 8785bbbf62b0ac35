import { kind } from './kind.ts';

export const reaction = kind('reaction', {
  content: (send) => ({
    kind: 'reaction',
    emoji: send.emoji,
    target: {
      messageId: send.reacted_message_id,
      fromMe: send.reacted_from_me ?? false,
      ...(send.reacted_participant ? { participant: send.reacted_participant } : {}),
    },
  }),
});
