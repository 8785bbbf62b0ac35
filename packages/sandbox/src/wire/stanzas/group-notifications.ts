import type { Group, News, Person } from '../../world/index.ts';
import { lidJid, shownNumber } from '../../world/index.ts';
import { type Node, node } from '../transport/nodes.ts';

export const ALL_MEMBERS_ADD = 'all_member_add';
const ADMINS_ADD = 'admin_add';

/** A group as its members get it. People are addressed by LID, with the number beside it. */
export function groupNode(group: Group): Node {
  const { owner, description, descriptionId } = group;
  return node(
    'group',
    {
      id: group.jid.split('@')[0],
      jid: group.jid,
      subject: group.name,
      s_t: Math.floor(group.nameSetAt / 1000),
      s_o: lidJid(group.nameSetBy.lid),
      s_o_pn: shownNumber(group.nameSetBy),
      p_v_id: versionId(group.memberVersion),
      a_v_id: versionId(group.announceVersion),
      creation: Math.floor(group.createdAt / 1000),
      creator: owner && lidJid(owner.lid),
      creator_pn: owner && shownNumber(owner),
      addressing_mode: 'lid',
      size: group.members.length,
    },
    [
      ...group.members.map(({ person, role }) =>
        participantNode(person, role === 'member' ? undefined : role),
      ),
      ...(description
        ? [
            node('description', { id: descriptionId, t: Math.floor(group.descriptionSetAt / 1000) }, [
              node('body', {}, Buffer.from(description)),
            ]),
          ]
        : []),
      ...(group.announce ? [node('announcement')] : []),
      ...(group.locked ? [node('locked')] : []),
      ...(group.joinApproval ? [joinApproval(true)] : []),
      memberAddMode(group.everybodyAdds),
      ...(group.disappearingSeconds > 0
        ? [node('ephemeral', { expiration: group.disappearingSeconds })]
        : []),
    ],
  );
}

function participantNode(person: Person, type?: string): Node {
  return node('participant', {
    jid: lidJid(person.lid),
    phone_number: shownNumber(person),
    username: person.username,
    type,
  });
}

export function groupNotification(id: string, news: Extract<News, { kind: 'group' }>): Node {
  const { group, by, at } = news;
  return node(
    'notification',
    {
      id,
      from: group,
      type: 'w:gp2',
      participant: by && lidJid(by.lid),
      participant_pn: by && shownNumber(by),
      participant_username: by?.username,
      addressing_mode: 'lid',
      t: Math.floor(at / 1000),
    },
    [changeNode(news)],
  );
}

/** As long as the network's own. */
const versionId = (version: number): string => `1700${String(version).padStart(12, '0')}`;

const versionsOf = (version = 1) => ({
  v_id: versionId(version),
  prev_v_id: versionId(version - 1),
});

const joinApproval = (on: boolean): Node =>
  node('membership_approval_mode', {}, [node('group_join', { state: on ? 'on' : 'off' })]);

const memberAddMode = (everybody: boolean): Node =>
  node('member_add_mode', {}, Buffer.from(everybody ? ALL_MEMBERS_ADD : ADMINS_ADD));

function changeNode({ change, by, at, version }: Extract<News, { kind: 'group' }>): Node {
  switch (change.type) {
    case 'create':
      return node('create', {}, [groupNode(change.group)]);
    case 'join':
      return node(
        'add',
        { reason: 'invite', ...versionsOf(version) },
        change.persons.map((person) => participantNode(person)),
      );
    case 'join_requested':
      return node(
        'created_membership_requests',
        { request_method: 'invite_link' },
        change.persons.map((person) =>
          node('requested_user', { jid: lidJid(person.lid), phone_number: shownNumber(person) }),
        ),
      );
    case 'join_request_rejected':
      return node(
        'revoked_membership_requests',
        {},
        change.persons.map((person) => participantNode(person)),
      );
    case 'number_changed':
      return node(
        'modify',
        {},
        change.persons.map((person) => participantNode(person)),
      );
    case 'leave':
      // a client distinguishes leaving from removal by the author
      return node(
        'remove',
        versionsOf(version),
        change.persons.map((person) => participantNode(person)),
      );
    case 'add':
    case 'remove':
    case 'promote':
    case 'demote':
      return node(
        change.type,
        versionsOf(version),
        change.persons.map((person) => participantNode(person)),
      );
    case 'name':
      return node('subject', {
        subject: change.name,
        s_t: Math.floor(at / 1000),
        s_o: by && lidJid(by.lid),
        s_o_pn: by && shownNumber(by),
      });
    case 'description':
      return node('description', { id: change.descriptionId }, [
        change.description ? node('body', {}, Buffer.from(change.description)) : node('delete'),
      ]);
    case 'announce':
      return node(change.announce ? 'announcement' : 'not_announcement', versionsOf(version));
    case 'join_approval':
      return joinApproval(change.on);
    case 'everybody_adds':
      return memberAddMode(change.on);
    case 'locked':
      return node(change.locked ? 'locked' : 'unlocked');
    case 'invite':
      return node('invite', { code: change.code });
    case 'disappearing':
      return change.seconds > 0 ? node('ephemeral', { expiration: change.seconds }) : node('not_ephemeral');
  }
}
