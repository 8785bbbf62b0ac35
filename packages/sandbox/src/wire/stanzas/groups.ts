import { DISAPPEARING_SECONDS } from '@parley/contract';
import type {
  GroupJoin,
  GroupSettings,
  JoinRequest,
  ParticipantAction,
  ParticipantResult,
} from '../../world/index.ts';
import { isGroupJid, lidJid, shownNumber } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Network, Session } from '../network.ts';
import { child, childBytes, children, type Node, node, textOf } from '../transport/nodes.ts';
import { ALL_MEMBERS_ADD, groupNode } from './group-notifications.ts';
import type { IqHandler } from './iq.ts';

/** Runs one order; `to` is the group, or `@g.us` for none. */
type GroupOrder = (session: Session, order: Node, to: string) => readonly Node[];

/** Codes for a participant who could not be added, removed, promoted or demoted. */
const OUTCOME_CODES: Readonly<Record<ParticipantResult['outcome'], number | undefined>> = {
  ok: undefined,
  forbidden: 403,
  not_registered: 404,
  not_member: 404,
  already_member: 409,
};

/** `w:g2`: groups. Queries and orders share their tags; the type of the stanza distinguishes them. */
export function createGroupsHandler({ world }: Network): IqHandler {
  const { groups } = world;

  const changeMembers =
    (action: ParticipantAction): GroupOrder =>
    ({ device }, order, to) => {
      const results = groups.participants(device, to, action, participantsIn(order));
      return [node(action, {}, resultNodes(results))];
    };

  /** A member who is no admin is not authorized, a stranger is forbidden. */
  const inviteCode = (device: Session['device'], to: string): string => {
    const { members } = groups.get(device, to);
    const own = members.find(({ person }) => person.phone === device.phone);
    if (own?.role === 'member') throw new Refusal(401, 'not-authorized');
    return groups.inviteCode(device, to);
  };

  const yes =
    (act: (...args: Parameters<GroupOrder>) => void): GroupOrder =>
    (...args) => {
      act(...args);
      return [];
    };

  const questions: Readonly<Record<string, GroupOrder>> = {
    query: ({ device }, _order, to) => [groupNode(groups.get(device, to))],
    participating: ({ device }) => [node('groups', {}, groups.of(device.phone).map(groupNode))],
    invite: ({ device }, { attrs: { code } }, to) =>
      code === undefined
        ? [node('invite', { code: inviteCode(device, to) })]
        : [groupNode(groups.byInvite(code))],
    membership_approval_requests: ({ device }, _order, to) => [
      node('membership_approval_requests', {}, groups.requests(device, to).map(requestNode)),
    ],
  };

  const orders: Readonly<Record<string, GroupOrder>> = {
    create: ({ device }, order) => {
      // A community, or a group of one, must not come out as a plain group.
      if (child(order, 'parent') ?? child(order, 'linked_parent')) {
        throw new Refusal(501, 'feature-not-implemented');
      }
      const created = groups.create(device, {
        name: order.attrs.subject ?? '',
        participants: participantsIn(order),
        ...settingsIn(order),
      });
      return [groupNode(created.group)];
    },
    add: changeMembers('add'),
    remove: changeMembers('remove'),
    promote: changeMembers('promote'),
    demote: changeMembers('demote'),
    subject: yes(({ device }, order, to) => groups.rename(device, to, textOf(order) ?? '')),
    description: yes(({ device }, order, to) =>
      groups.describe(device, to, childBytes(order, 'body')?.toString('utf8') ?? ''),
    ),
    invite: ({ device }, { attrs: { code } }, to) =>
      code === undefined
        ? [node('invite', { code: groups.resetInviteCode(device, to) })]
        : [joinNode(groups.join(device, code))],
    accept: ({ device }, { attrs: { code = '' } }) => {
      const joined = groups.join(device, code);
      return joined.isPending ? [joinNode(joined)] : [];
    },
    membership_requests_action: ({ device }, order, to) => {
      const answers = children(order).map(({ tag, ...rest }) => {
        if (tag !== 'approve' && tag !== 'reject') throw new Refusal(400, 'bad-request');
        const results = groups.answerRequests(device, to, tag, participantsIn({ tag, ...rest }));
        return node(tag, {}, resultNodes(results));
      });
      if (answers.length === 0) throw new Refusal(400, 'bad-request');
      return [node('membership_requests_action', {}, answers)];
    },
    leave: ({ device }, order) => {
      const left = children(order, 'group').flatMap(({ attrs }) => attrs.id ?? []);
      for (const id of left) groups.leave(device, isGroupJid(id) ? id : `${id}@g.us`);
      return [
        node(
          'leave',
          {},
          left.map((id) => node('group', { id })),
        ),
      ];
    },
    announcement: yes(({ device }, _order, to) => groups.setAnnounce(device, to, true)),
    not_announcement: yes(({ device }, _order, to) => groups.setAnnounce(device, to, false)),
    locked: yes(({ device }, _order, to) => groups.setLocked(device, to, true)),
    unlocked: yes(({ device }, _order, to) => groups.setLocked(device, to, false)),
    membership_approval_mode: yes(({ device }, order, to) =>
      groups.setJoinApproval(
        device,
        to,
        oneOf(['on', 'off'], child(order, 'group_join')?.attrs.state) === 'on',
      ),
    ),
    member_add_mode: yes(({ device }, order, to) =>
      groups.setEverybodyAdds(
        device,
        to,
        oneOf([ALL_MEMBERS_ADD, ADMINS_ADD], textOf(order)) === ALL_MEMBERS_ADD,
      ),
    ),
    ephemeral: yes(({ device }, { attrs }, to) =>
      groups.setDisappearing(device, to, Number(oneOf(EPHEMERAL_SECONDS, attrs.expiration))),
    ),
    not_ephemeral: yes(({ device }, _order, to) => groups.setDisappearing(device, to, 0)),
  };

  return (session, request) => {
    const [order] = children(request);
    const known = request.attrs.type === 'get' ? questions : orders;
    const carryOut = order && known[order.tag];
    if (!carryOut) throw new Refusal(501, 'feature-not-implemented');
    return carryOut(session, order, request.attrs.to ?? '');
  };
}

const ADMINS_ADD = 'admin_add';
const EPHEMERAL_SECONDS: readonly string[] = Object.values(DISAPPEARING_SECONDS).flatMap((seconds) =>
  seconds > 0 ? String(seconds) : [],
);

function oneOf(words: readonly string[], word: string | undefined): string {
  if (word === undefined || !words.includes(word)) throw new Refusal(400, 'bad-request');
  return word;
}

/** Settings that a group is created with. */
function settingsIn(order: Node): GroupSettings {
  const approval = child(child(order, 'membership_approval_mode'), 'group_join');
  return {
    announce: child(order, 'announcement') !== undefined,
    locked: child(order, 'locked') !== undefined,
    joinApproval: approval?.attrs.state === 'on',
    everybodyAdds: textOf(child(order, 'member_add_mode')) === ALL_MEMBERS_ADD,
    disappearingSeconds: Number(child(order, 'ephemeral')?.attrs.expiration ?? 0),
    description: childBytes(child(order, 'description'), 'body')?.toString('utf8'),
  };
}

function joinNode({ group: { jid }, isPending }: GroupJoin): Node {
  return node(isPending ? 'membership_approval_request' : 'group', { jid });
}

function requestNode({ person, at }: JoinRequest): Node {
  return node('membership_approval_request', {
    jid: lidJid(person.lid),
    phone_number: shownNumber(person),
    username: person.username,
    request_method: 'invite_link',
    request_time: Math.floor(at / 1000),
  });
}

/** In an order of the network's own: first the changed people, then the refused ones. */
function resultNodes(results: ParticipantResult[]): Node[] {
  const [changed, refused] = [true, false].map((ok) =>
    results.filter(({ outcome }) => (outcome === 'ok') === ok),
  );
  return [...(changed ?? []), ...(refused ?? [])].map(resultNode);
}

function resultNode({ jid, person, outcome }: ParticipantResult): Node {
  return node('participant', {
    jid: person ? lidJid(person.lid) : jid,
    phone_number: person && shownNumber(person),
    error: OUTCOME_CODES[outcome],
  });
}

const participantsIn = (order: Node): string[] =>
  children(order, 'participant').flatMap(({ attrs }) => attrs.jid ?? []);
