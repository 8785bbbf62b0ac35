import { kind } from './kind.ts';

export const revoke = kind('revoke', {
  content: (send) => ({
    kind: 'revoke',
    target: {
      messageId: send.revoked_message_id,
      fromMe: send.revoked_from_me ?? false,
      ...(send.revoked_participant ? { participant: send.revoked_participant } : {}),
    },
  }),
});
