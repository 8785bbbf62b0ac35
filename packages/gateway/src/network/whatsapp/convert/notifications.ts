import type { BinaryNode } from 'baileys';
import type { ContactEvent, GroupChange, GroupEvent, GroupPerson, NetworkEvent } from '../../events.ts';
import { boundedId, boundedName, boundedSeconds, boundedText } from './bounds.ts';
import { type NameOf, readChannelMessages } from './events.ts';
import { accountOf, isGroup, isLid, isOwnJid, isPerson, type Me, phoneAmong } from './jid.ts';

/** Reads all events of a notification; a reader returns none for notifications that are not its own. */
export async function readNotification(
  node: BinaryNode,
  me: Me,
  nameOf: NameOf,
): Promise<readonly NetworkEvent[]> {
  return [
    ...readChannelMessages(node),
    ...readGroupChanges(node, me),
    ...(await readContactChanges(node, me, nameOf)),
  ];
}

/** Changes of a contact's picture or About text, under the name that `nameOf` returns. */
export async function readContactChanges(
  { attrs, content }: BinaryNode,
  me: Me,
  nameOf: NameOf,
): Promise<readonly ContactEvent[]> {
  const from = accountOf(attrs.from);
  if (!attrs.id || !isPerson(from) || isOwnJid(from, me)) return [];
  const change = contactChangeIn(attrs.type, Array.isArray(content) ? content : []);
  if (!change) return [];
  const timestamp = boundedSeconds(attrs.t);
  const id = ['contact', from, timestamp, boundedId(attrs.id)].join('/');
  return [{ kind: 'contact', id, timestamp, contact: await nameOf(from), change }];
}

function contactChangeIn(
  type: string | undefined,
  content: readonly BinaryNode[],
): ContactEvent['change'] | undefined {
  const set = content.find(({ tag }) => tag === 'set');
  switch (type) {
    case 'picture': {
      if (!set) return content.some(({ tag }) => tag === 'delete') ? { type: 'picture' } : undefined;
      const { id } = set.attrs;
      return { type: 'picture', ...(id ? { pictureId: boundedId(id) } : {}) };
    }
    case 'status':
      return set && { type: 'about', about: textOf(set) };
    default:
      return undefined;
  }
}

/** More than the maximum size of a group. */
const MOST_PARTICIPANTS = 2_048;
const EVERYBODY_ADDS = 'all_member_add';

/** Changes of a group. The library emits some of them, after it has acknowledged the notification. */
export function readGroupChanges({ attrs, content }: BinaryNode, me: Me): readonly GroupEvent[] {
  const group = accountOf(attrs.from);
  if (attrs.type !== 'w:gp2' || !isGroup(group) || !attrs.id) return [];
  const by = personOf(attrs.participant, attrs.participant_pn);
  const named = ['group', group, boundedSeconds(attrs.t), boundedId(attrs.id)];
  return childrenOf(content).flatMap((child, place): GroupEvent[] => {
    const change = groupChangeIn(child, by, me);
    if (!change) return [];
    return [
      {
        kind: 'group',
        id: [...named, place].join('/'),
        timestamp: boundedSeconds(attrs.t),
        group,
        ...(by ? { by } : {}),
        change,
      },
    ];
  });
}

function groupChangeIn(node: BinaryNode, by: GroupPerson | undefined, me: Me): GroupChange | undefined {
  switch (node.tag) {
    case 'create': {
      const [group] = childrenOf(node.content).filter(({ tag }) => tag === 'group');
      const own =
        group &&
        peopleIn(group, 'participant').find(({ jid, phone }) => isOwnJid(jid, me) || isOwnJid(phone, me));
      const participants = [own ?? { jid: accountOf(me.id) }];
      return { type: 'joined', participants, subject: boundedName(group?.attrs.subject ?? '') };
    }
    case 'add':
      return peopleChange(node.attrs.reason === 'invite' ? 'joined' : 'added', node);
    case 'remove': {
      const isOwnWill = peopleIn(node, 'participant').every(({ jid }) => jid === by?.jid);
      return peopleChange(isOwnWill ? 'left' : 'removed', node);
    }
    case 'leave':
      return peopleChange('left', node);
    case 'promote':
      return peopleChange('promoted', node);
    case 'demote':
      return peopleChange('demoted', node);
    case 'membership_approval_request':
    case 'created_membership_requests': {
      // A person who asks for themselves is the actor.
      const participants = peopleIn(node, 'requested_user');
      const asking = participants.length > 0 ? participants : [by].flatMap((person) => person ?? []);
      return asking.length > 0 ? { type: 'join_requested', participants: asking } : undefined;
    }
    case 'revoked_membership_requests':
      return peopleChange('join_request_withdrawn', node);
    case 'subject':
      return { type: 'subject', subject: boundedName(node.attrs.subject ?? '') };
    case 'description':
      return {
        type: 'description',
        description: textOf(childrenOf(node.content).find(({ tag }) => tag === 'body')),
      };
    case 'announcement':
    case 'not_announcement':
      return { type: 'settings', announce: node.tag === 'announcement' };
    case 'locked':
    case 'unlocked':
      return { type: 'settings', locked: node.tag === 'locked' };
    case 'membership_approval_mode': {
      const mode = childrenOf(node.content).find(({ tag }) => tag === 'group_join');
      return mode ? { type: 'settings', joinApproval: mode.attrs.state === 'on' } : undefined;
    }
    case 'member_add_mode':
      return { type: 'settings', membersAdd: textOf(node) === EVERYBODY_ADDS };
    case 'ephemeral':
    case 'not_ephemeral':
      return { type: 'settings', ephemeralSeconds: boundedSeconds(node.attrs.expiration ?? 0) };
    default:
      return undefined;
  }
}

type PeopleChange = Extract<GroupChange, { participants: unknown }>['type'];

function peopleChange(type: PeopleChange, node: BinaryNode): GroupChange | undefined {
  const participants = peopleIn(node, 'participant');
  return participants.length > 0 ? { type, participants } : undefined;
}

function peopleIn({ content }: BinaryNode, tag: string): GroupPerson[] {
  return childrenOf(content)
    .filter((child) => child.tag === tag)
    .slice(0, MOST_PARTICIPANTS)
    .flatMap(({ attrs }) => personOf(attrs.jid, attrs.phone_number) ?? []);
}

function personOf(address: string | undefined, number: string | undefined): GroupPerson | undefined {
  const jid = accountOf(address);
  const phone = isLid(jid) ? phoneAmong(number) : undefined;
  return jid ? { jid, ...(phone ? { phone } : {}) } : undefined;
}

function textOf(node: BinaryNode | undefined): string {
  const { content } = node ?? {};
  if (typeof content === 'string') return boundedText(content);
  return content instanceof Uint8Array ? boundedText(Buffer.from(content).toString()) : '';
}

function childrenOf(content: BinaryNode['content']): readonly BinaryNode[] {
  return Array.isArray(content) ? content : [];
}
