import { type EventKind, phoneOf } from '@parley/contract';
import { formatPhone } from '../ui/format.ts';

type Fields = Readonly<Record<string, unknown>>;

interface EventText {
  readonly name: string;
  /** One of them in a line: what happened, and by whom. Never what was said. */
  readonly tell: (event: Fields) => string;
}

export const eventTexts: Readonly<Record<EventKind, EventText>> = {
  message: {
    name: 'Message',
    tell({ type, sender_name, sender_phone, sender_jid, broadcast, is_group, from_me, chat_jid }) {
      if (from_me === true)
        return `Own message ${is_group === true ? 'in a group' : `to ${personOf(chat_jid)}`}`;
      const who = nameOf(sender_name) ?? personOf(sender_phone ?? sender_jid);
      if (broadcast === true) return `Story of ${who}`;
      const what = CONTENT_NAMES[String(type)] ?? 'Message';
      return `${what} from ${who}${is_group === true ? ' in a group' : ''}`;
    },
  },
  receipt: {
    name: 'Receipt',
    tell({ receipt_type, recipient_jid }) {
      const what = RECEIPTS[String(receipt_type)];
      return what === undefined ? String(receipt_type) : `${what} ${personOf(recipient_jid)}`;
    },
  },
  status: {
    name: 'Status',
    tell: ({ status, to, reason }) =>
      status === 'failed' ? `Failed to ${personOf(to)}: ${reason}` : `Sent to ${personOf(to)}`,
  },
  connection: {
    name: 'Connection',
    tell: ({ event }) => CONNECTIONS[String(event)] ?? String(event),
  },
  poll_vote: { name: 'Poll vote', tell: ({ voter_jid }) => `Vote by ${personOf(voter_jid)}` },
  typing: {
    name: 'Typing',
    tell({ sender_jid, typing, media }) {
      const who = personOf(sender_jid);
      if (typing !== true) return `${who} stopped typing`;
      return `${who} is ${media === 'audio' ? 'recording' : 'typing'}`;
    },
  },
  presence: {
    name: 'Presence',
    tell: ({ contact_jid, online }) =>
      `${personOf(contact_jid)} is ${online === true ? 'online' : 'offline'}`,
  },
  call: {
    name: 'Call',
    tell({ from_jid, event, video, rejected }) {
      const who = personOf(from_jid);
      if (event !== 'offer') return `Call from ${who} ended`;
      return `${video === true ? 'Video call' : 'Call'} from ${who}${rejected === true ? ', rejected' : ''}`;
    },
  },
  newsletter_message: { name: 'Channel message', tell: () => 'Post in a channel' },
  group: {
    name: 'Group',
    tell({ event, participants, by_phone, by_jid }) {
      const whom = peopleIn(participants);
      const what = GROUP_CHANGES[String(event)] ?? 'changed';
      const by = by_jid === undefined || isOwnDoing(event) ? '' : ` by ${personOf(by_phone ?? by_jid)}`;
      return `Group: ${whom === '' ? '' : `${whom} `}${what}${by}`;
    },
  },
  contact_linked: {
    name: 'Number known',
    tell: ({ jid }) => `${personOf(jid)} is somebody who hid the number until now`,
  },
  chat: {
    name: 'Chat',
    tell: ({ chat_jid, event }) =>
      `Chat ${String(chat_jid).endsWith('@g.us') ? 'of a group' : `with ${personOf(chat_jid)}`}: ${event} by the owner`,
  },
  contact: {
    name: 'Contact',
    tell: ({ contact_jid, event }) =>
      `${event === 'picture' ? 'Picture' : 'About text'} of ${personOf(contact_jid)} changed`,
  },
  history: {
    name: 'History',
    tell({ event, messages }) {
      const many = `${messages} messages`;
      if (event === 'failed') return `The past could not be read beyond ${many}`;
      return event === 'done' ? `A part of the past is here: ${many}` : `The past so far: ${many}`;
    },
  },
  health: { name: 'Health', tell: ({ state }) => HEALTH[String(state)] ?? 'Health has changed' },
};

const CONTENT_NAMES: Readonly<Record<string, string>> = {
  text: 'Text',
  reaction: 'Reaction',
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  poll: 'Poll',
  button_response: 'Button pressed',
};

const GROUP_CHANGES: Readonly<Record<string, string>> = {
  joined: 'joined',
  left: 'left',
  added: 'added',
  removed: 'removed',
  promoted: 'made admin',
  demoted: 'no longer admin',
  join_requested: 'asks to join',
  join_request_withdrawn: 'no longer asks to join',
  subject: 'name changed',
  description: 'description changed',
  settings: 'settings changed',
};

/** Nobody else has a part in it. */
function isOwnDoing(event: unknown): boolean {
  return event === 'joined' || event === 'left' || event === 'join_requested';
}

/** The first of them, and how many more there are. */
function peopleIn(participants: unknown): string {
  if (!Array.isArray(participants) || participants.length === 0) return '';
  const first: { phone_jid?: unknown; jid?: unknown } = participants[0] ?? {};
  const more = participants.length - 1;
  return `${personOf(first.phone_jid ?? first.jid)}${more > 0 ? ` and ${more} more` : ''}`;
}

const RECEIPTS: Readonly<Record<string, string>> = {
  delivered: 'Delivered to',
  read: 'Read by',
  played: 'Played by',
};

const CONNECTIONS: Readonly<Record<string, string>> = {
  connected: 'Connected',
  disconnected: 'Connection lost',
  logged_out: 'Logged out on the phone',
};

const HEALTH: Readonly<Record<string, string>> = {
  healthy: 'The number is healthy',
  watch: 'Signs of trouble with the network',
  restricted: 'Restricted by the network',
  banned: 'Banned by the network',
  unlinked: 'No longer linked',
};

/** A name may be missing, empty, or left out as content. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('[redacted') ? value : undefined;
}

export function personOf(jid: unknown): string {
  if (typeof jid !== 'string' || jid === '') return 'somebody';
  return formatPhone(phoneOf(jid) ?? jid);
}
