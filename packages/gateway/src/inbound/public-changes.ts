import type { EventOf, PublicEvent } from '@parley/contract';
import type {
  ChatEvent,
  ContactEvent,
  ContactLinkedEvent,
  DeviceLinkedEvent,
  GroupChange,
  GroupEvent,
  GroupPerson,
  MessageEvent,
  NetworkEvent,
  ReceiptEvent,
} from '#network';
import {
  callEvent,
  newsletterMessageEvent,
  pollVoteEvent,
  presenceEvent,
  typingEvent,
} from './public-events.ts';

/** Events that are translated field by field; the sink does more for the others. */
type PlainEvent = Exclude<NetworkEvent, MessageEvent | ReceiptEvent | ChatEvent>;
type Translation<E extends PlainEvent> = (sessionId: string, event: E) => PublicEvent;

const TRANSLATIONS: {
  readonly [K in PlainEvent['kind']]: Translation<Extract<PlainEvent, { kind: K }>>;
} = {
  poll_vote: pollVoteEvent,
  channel_message: newsletterMessageEvent,
  typing: typingEvent,
  presence: presenceEvent,
  call: callEvent,
  group: groupEvent,
  contact: contactEvent,
  contact_linked: contactLinkedEvent,
  device_linked: deviceLinkedEvent,
};

export function publicEvent(sessionId: string, event: PlainEvent): PublicEvent {
  // The compiler cannot follow that an event and the translation of its kind belong together.
  const translate = TRANSLATIONS[event.kind] as Translation<PlainEvent>;
  return translate(sessionId, event);
}

function groupEvent(sessionId: string, { group, by, change, timestamp }: GroupEvent): EventOf<'group'> {
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

function contactEvent(sessionId: string, { contact, change, timestamp }: ContactEvent): EventOf<'contact'> {
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

function contactLinkedEvent(
  sessionId: string,
  { lid, jid, timestamp }: ContactLinkedEvent,
): EventOf<'contact_linked'> {
  return { kind: 'contact_linked', session_id: sessionId, lid, jid, timestamp_unix: timestamp };
}

function deviceLinkedEvent(
  sessionId: string,
  { devices, added, timestamp }: DeviceLinkedEvent,
): EventOf<'device_linked'> {
  return {
    kind: 'device_linked',
    session_id: sessionId,
    devices,
    added: added.map((device) => ({ device })),
    timestamp_unix: timestamp,
  };
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
