import { kind } from './kind.ts';

export const groupInvite = kind('group_invite', {
  content: (send) => ({
    kind: 'group_invite',
    group: send.group_invite_jid,
    ...(send.caption ? { caption: send.caption } : {}),
  }),
});
