import {
  type GroupMember,
  type LinkedDevice,
  lidJid,
  type ParticipantResult as Outcome,
  userJid,
  type Group as WorldGroup,
  type JoinRequest as WorldRequest,
} from '@parley/sandbox/world';
import { NetworkError } from '../../errors.ts';
import type { GroupSettings } from '../../events.ts';
import type {
  Group,
  GroupOperations,
  GroupParticipant,
  JoinRequest,
  ParticipantResult,
} from '../../operations.ts';
import { ask as askNetwork, type Link } from './link.ts';
import { readMediaFile } from './media.ts';

export function createGroupOperations(link: Link): GroupOperations {
  const { groups, photos } = link.world;
  const ask = <T>(run: (device: LinkedDevice) => T | Promise<T>): Promise<T> =>
    askNetwork(link, run, 'groups');
  return {
    list: () => ask((device) => groups.of(device.phone).map(({ jid, name }) => ({ jid, name }))),
    listDetailed: (withMembers) =>
      ask((device) =>
        groups.of(device.phone).map((group) => {
          const { participants, ...head } = toGroup(group);
          return { ...head, size: participants.length, ...(withMembers && { participants }) };
        }),
      ),
    create: (name, participants) =>
      ask((device) => toGroup(groups.create(device, { name, participants: [...participants] }).group)),
    detail: (group) => ask((device) => toGroup(groups.get(device, group))),
    changeParticipants: (group, participants, action) =>
      ask((device) => groups.participants(device, group, action, [...participants]).map(toResult)),
    rename: (group, name) => ask((device) => groups.rename(device, group, name)),
    describe: (group, description) => ask((device) => groups.describe(device, group, description)),
    setPhoto: (group, image) =>
      ask(async (device) => {
        const bytes = image ? await readMediaFile(image) : undefined;
        return photos.set(device, group, bytes) ?? '';
      }),
    inviteCode: (group) => ask((device) => groups.inviteCode(device, group)),
    resetInviteCode: (group) => ask((device) => groups.resetInviteCode(device, group)),
    join: (code) =>
      ask((device) => {
        const { group, isPending } = groups.join(device, code);
        return { group: group.jid, isPending };
      }).catch(asUnknownInvite),
    joinRequests: (group) => ask((device) => groups.requests(device, group).map(toJoinRequest)),
    answerJoinRequests: (group, people, action) =>
      ask((device) => groups.answerRequests(device, group, action, [...people]).map(toResult)),
    changeSettings: (group, settings) =>
      ask((device) =>
        link.world.transaction(() => {
          const { announce, locked, joinApproval, membersAdd, ephemeralSeconds } = settings;
          if (announce !== undefined) groups.setAnnounce(device, group, announce);
          if (locked !== undefined) groups.setLocked(device, group, locked);
          if (joinApproval !== undefined) groups.setJoinApproval(device, group, joinApproval);
          if (membersAdd !== undefined) groups.setEverybodyAdds(device, group, membersAdd);
          if (ephemeralSeconds !== undefined) groups.setDisappearing(device, group, ephemeralSeconds);
          return toSettings(groups.get(device, group));
        }),
      ),
    leave: (group) => ask((device) => groups.leave(device, group)),
  };
}

function toGroup(group: WorldGroup): Group {
  return {
    jid: group.jid,
    name: group.name,
    description: group.description,
    ...(group.owner && { owner: lidJid(group.owner.lid) }),
    createdAt: Math.floor(group.createdAt / 1_000),
    announce: group.announce,
    locked: group.locked,
    participants: group.members.map(toParticipant),
  };
}

function toSettings(group: WorldGroup): Required<GroupSettings> {
  return {
    announce: group.announce,
    locked: group.locked,
    joinApproval: group.joinApproval,
    membersAdd: group.everybodyAdds,
    ephemeralSeconds: group.disappearingSeconds,
  };
}

/** The network does not accept a code that never was an invite. */
function asUnknownInvite(error: unknown): never {
  const isMalformed = error instanceof NetworkError && error.kind === 'malformed';
  throw isMalformed ? new NetworkError('not_found', error.message, { cause: error }) : error;
}

function toJoinRequest({ person, at }: WorldRequest): JoinRequest {
  return {
    jid: lidJid(person.lid),
    phoneJid: userJid(person.phone),
    requestedAt: Math.floor(at / 1_000),
    method: 'invite_link',
  };
}

function toParticipant({ person, role }: GroupMember): GroupParticipant {
  return {
    jid: lidJid(person.lid),
    phoneJid: userJid(person.phone),
    isAdmin: role !== 'member',
    isSuperAdmin: role === 'superadmin',
  };
}

const refusals: Record<Exclude<Outcome['outcome'], 'ok'>, string> = {
  not_registered: 'The number is not registered on the network.',
  already_member: 'The participant is in the group already.',
  not_member: 'The participant is not in the group.',
  forbidden: 'The network does not allow this for the participant.',
};

function toResult({ jid, outcome }: Outcome): ParticipantResult {
  return outcome === 'ok' ? { jid, ok: true } : { jid, ok: false, error: refusals[outcome] };
}
