import Type from 'typebox';
import { GroupJid } from '../primitives.ts';
import { Caption } from './content.ts';
import { addressed, sendKind } from './kind.ts';

export const groupInvite = sendKind({
  kind: 'group_invite',
  plan: 'max',
  label: 'invitations to groups',
  guide:
    'The session must be an admin of the group; the gateway fetches its name and code. A number follows an invite with `POST /v1/sessions/{id}/groups/join`; where the group wants approval, that answers `202` with `"status": "pending_approval"` until an admin lets the number in, which the event [`group`](webhooks.md) reports.',
  title: 'SendGroupInvite',
  summary: 'Group invitation',
  description: 'The gateway fetches code and name; the session must be admin of that group.',
  properties: {
    ...addressed,
    type: Type.Literal('group_invite'),
    group_invite_jid: GroupJid,
    caption: Type.Optional(Caption),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'group_invite',
    group_invite_jid: '120363041234567890@g.us',
    caption: 'Join the launch team',
  },
});
