import { EVENT_KINDS, EVENTS, type EventKind, phoneOf } from '@parley/contract';
import { formatPhone } from '../ui/format.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One line about an event: what happened and by whom, without contents. A kind without a summary shows its name and its chat. */
const SUMMARIES: Readonly<Partial<Record<EventKind, (event: Fields) => string>>> = {
  message({ type, sender_name, sender_phone, sender_jid, broadcast, is_group, from_me, chat_jid }) {
    if (from_me === true)
      return `Own message ${is_group === true ? 'in a group' : `to ${personOf(chat_jid)}`}`;
    const who = nameOf(sender_name) ?? personOf(sender_phone ?? sender_jid);
    if (broadcast === true) return `Story of ${who}`;
    const what = CONTENT_NAMES[String(type)] ?? 'Message';
    return `${what} from ${who}${is_group === true ? ' in a group' : ''}`;
  },
  receipt({ receipt_type, recipient_jid }) {
    const what = RECEIPTS[String(receipt_type)];
    return what === undefined ? String(receipt_type) : `${what} ${personOf(recipient_jid)}`;
  },
  status: ({ status, to, reason }) =>
    status === 'failed' ? `Failed to ${personOf(to)}: ${reason}` : `Sent to ${personOf(to)}`,
  connection: ({ event }) => CONNECTIONS[String(event)] ?? String(event),
  poll_vote: ({ voter_jid }) => `Vote by ${personOf(voter_jid)}`,
  typing({ sender_jid, typing, media }) {
    const who = personOf(sender_jid);
    if (typing !== true) return `${who} stopped typing`;
    return `${who} is ${media === 'audio' ? 'recording' : 'typing'}`;
  },
  presence: ({ contact_jid, online }) =>
    `${personOf(contact_jid)} is ${online === true ? 'online' : 'offline'}`,
  call({ from_jid, event, video, rejected }) {
    const who = personOf(from_jid);
    if (event !== 'offer') return `Call from ${who} ended`;
    return `${video === true ? 'Video call' : 'Call'} from ${who}${rejected === true ? ', rejected' : ''}`;
  },
  newsletter_message: () => 'Post in a channel',
  group({ event, participants, by_phone, by_jid }) {
    const whom = peopleIn(participants);
    const what = GROUP_CHANGES[String(event)] ?? 'changed';
    const by = by_jid === undefined || isOwnDoing(event) ? '' : ` by ${personOf(by_phone ?? by_jid)}`;
    return `Group: ${whom === '' ? '' : `${whom} `}${what}${by}`;
  },
  contact_linked: ({ jid }) => `${personOf(jid)} is a contact who hid their number until now`,
  chat: ({ chat_jid, event }) =>
    `Chat ${String(chat_jid).endsWith('@g.us') ? 'of a group' : `with ${personOf(chat_jid)}`}: ${event} by the owner`,
  contact: ({ contact_jid, event }) =>
    `${event === 'picture' ? 'Picture' : 'About text'} of ${personOf(contact_jid)} changed`,
  history({ event, messages }) {
    const many = `${messages} messages`;
    if (event === 'failed') return `The past could not be read beyond ${many}`;
    return event === 'done' ? `A part of the past is here: ${many}` : `The past so far: ${many}`;
  },
  device_linked: ({ devices }) => `A device was linked to the number, which has ${devices} now`,
  health: ({ state }) => HEALTH[String(state)] ?? 'Health has changed',
};

interface EventText {
  readonly name: string;
  readonly summarize: (event: Fields) => string;
}

export const eventTexts = Object.fromEntries(
  EVENT_KINDS.map((kind) => [
    kind,
    { name: EVENTS[kind].label, summarize: SUMMARIES[kind] ?? summaryByChat(kind) },
  ]),
) as Readonly<Record<EventKind, EventText>>;

function summaryByChat(kind: EventKind) {
  const { label, chat } = EVENTS[kind];
  return (event: Fields): string => (chat === null ? label : `${label}: ${personOf(event[chat])}`);
}

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

/** Changes that a member makes alone. */
function isOwnDoing(event: unknown): boolean {
  return event === 'joined' || event === 'left' || event === 'join_requested';
}

/** The first participant and the number of the others. */
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

/** The name; undefined when it is missing, empty or redacted. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('[redacted') ? value : undefined;
}

export function personOf(jid: unknown): string {
  if (typeof jid !== 'string' || jid === '') return 'unknown';
  return formatPhone(phoneOf(jid) ?? jid);
}
