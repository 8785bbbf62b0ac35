import type { EventOf } from '@parley/contract';
import type {
  ChatEvent,
  ContactEvent,
  ContactLinkedEvent,
  GroupChange,
  GroupEvent,
  GroupPerson,
} from '#network';

export function groupEvent(
  sessionId: string,
  { group, by, change, timestamp }: GroupEvent,
): EventOf<'group'> {
  return {
    kind: 'group',
    session_id: sessionId,
    chat_jid: group,
    event: change.type,
    ...(by && { by_jid: by.jid, ...(by.phone !== undefined && { by_phone: by.phone }) }),
    ...groupFields(change),
    timestamp_unix: timestamp,
  };
}

function groupFields(change: GroupChange): Partial<EventOf<'group'>> {
  switch (change.type) {
    case 'subject':
      return { subject: change.subject };
    case 'description':
      return { description: change.description };
    case 'settings': {
      const { announce, locked, joinApproval, membersAdd, ephemeralSeconds } = change;
      return {
        ...(announce !== undefined && { announce }),
        ...(locked !== undefined && { locked }),
        ...(joinApproval !== undefined && { join_approval: joinApproval }),
        ...(membersAdd !== undefined && { members_add: membersAdd }),
        ...(ephemeralSeconds !== undefined && { ephemeral_seconds: ephemeralSeconds }),
      };
    }
    default:
      return {
        participants: change.participants.map(toPerson),
        ...(change.subject !== undefined && { subject: change.subject }),
      };
  }
}

function toPerson({ jid, phone }: GroupPerson): { jid: string; phone_jid?: string } {
  return { jid, ...(phone !== undefined && { phone_jid: phone }) };
}

export function contactEvent(
  sessionId: string,
  { contact, change, timestamp }: ContactEvent,
): EventOf<'contact'> {
  return {
    kind: 'contact',
    session_id: sessionId,
    contact_jid: contact,
    event: change.type,
    ...(change.type === 'about' && { about: change.about }),
    ...(change.type === 'picture' && change.pictureId !== undefined && { picture_id: change.pictureId }),
    timestamp_unix: timestamp,
  };
}

export function contactLinkedEvent(
  sessionId: string,
  { lid, jid, timestamp }: ContactLinkedEvent,
): EventOf<'contact_linked'> {
  return { kind: 'contact_linked', session_id: sessionId, lid, jid, timestamp_unix: timestamp };
}

export function chatEvent(sessionId: string, { chat, change, timestamp }: ChatEvent): EventOf<'chat'> {
  return {
    kind: 'chat',
    session_id: sessionId,
    chat_jid: chat,
    event: wordFor(change),
    ...(change.type === 'muted' &&
      change.until !== null &&
      change.until > 0 && { muted_until_unix: Math.floor(change.until / 1_000) }),
    timestamp_unix: timestamp,
  };
}

function wordFor(change: ChatEvent['change']): EventOf<'chat'>['event'] {
  switch (change.type) {
    case 'muted':
      return change.until === null ? 'unmuted' : 'muted';
    case 'read':
    case 'archived':
    case 'pinned':
      return change.on ? change.type : `un${change.type}`;
    default:
      return change.type;
  }
}
