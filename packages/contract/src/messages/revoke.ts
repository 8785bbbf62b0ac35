import Type from 'typebox';
import { isGroup } from '../jid.ts';
import { MessageId } from '../primitives.ts';
import { type Complaint, complaint } from '../validate/complaint.ts';
import { addressed, Participant, sendKind } from './kind.ts';

type Revocation = { to: string; revoked_from_me?: boolean; revoked_participant?: string };

/** The network does not let anyone delete another person's message from a direct chat, so such a request is refused. */
function revocationComplaint({ to, revoked_from_me, revoked_participant }: Revocation): Complaint | null {
  if (revoked_from_me === true) return null;
  if (!isGroup(to)) return complaint('revoked_from_me', 'revoked_from_me must be true in a direct chat');
  if (revoked_participant !== undefined) return null;
  return complaint(
    'revoked_participant',
    'revoked_participant is required in a group unless revoked_from_me is true',
  );
}

export const revoke = sendKind({
  kind: 'revoke',
  plan: 'pro',
  label: 'deletions',
  guide: [
    '`revoked_from_me` must be `true` for a message of your own. Admins of a group may delete what others wrote, with `revoked_participant`.',
    'From a number that is no admin such a message fails with `SEND_FAILED`, and nothing leaves.',
  ].join('\n'),
  title: 'SendRevoke',
  summary: 'Delete for everyone',
  description:
    "Deletes a message sent by this session (`revoked_from_me: true`) or, as group admin, another member's (`revoked_participant`).",
  properties: {
    ...addressed,
    type: Type.Literal('revoke'),
    revoked_message_id: MessageId,
    revoked_from_me: Type.Optional(
      Type.Boolean({ description: 'Must be true to delete a message sent by this session.' }),
    ),
    revoked_participant: Type.Optional(Participant),
  },
  rule: revocationComplaint,
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'revoke',
    revoked_message_id: '3EB0C767D71C5A4F1D2B',
    revoked_from_me: true,
  },
});
