import type { Group as PublicGroup, GroupParticipant as PublicParticipant } from '@parley/contract';
import type { Group, GroupParticipant } from '#network';

export function publicGroup(group: Group): PublicGroup {
  return {
    jid: group.jid,
    name: group.name,
    description: group.description,
    owner_jid: group.owner ?? '',
    created_at_unix: group.createdAt,
    announce: group.announce,
    locked: group.locked,
    participants: group.participants.map(publicParticipant),
  };
}

function publicParticipant({ jid, phoneJid, isAdmin, isSuperAdmin }: GroupParticipant): PublicParticipant {
  return {
    jid,
    ...(phoneJid && { phone_jid: phoneJid }),
    is_admin: isAdmin,
    is_super_admin: isSuperAdmin,
  };
}
