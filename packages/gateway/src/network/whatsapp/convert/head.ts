import { decodeMessageNode } from 'baileys';
import type { Jid } from '../../content.ts';
import { codeOf } from '../errors.ts';
import { boundedId, boundedName, boundedSeconds, isPlausibleUsername } from './bounds.ts';
import { accountOf, isGroup, isMe, lidAmong, type Me, phoneAmong, STATUS_BROADCAST } from './jid.ts';

/** The attributes of a message stanza: who wrote where and when. */
export type StanzaAttrs = Readonly<Record<string, string>>;

export interface MessageHead {
  readonly messageId: string;
  /** As the network names the chat; for replies about its media. */
  readonly remoteJid: Jid;
  readonly chat: Jid;
  readonly sender: Jid;
  readonly senderPhone?: Jid;
  readonly senderLid?: Jid;
  /** Without `@`. */
  readonly senderUsername?: string;
  readonly senderName: string;
  readonly isGroup: boolean;
  readonly broadcast: boolean;
  readonly fromMe: boolean;
  /** Between the number's own devices, and in no chat. */
  readonly isAmongOwn: boolean;
  /** The network says that an admin of the group deletes somebody's message. */
  readonly isByAdmin?: true;
  /** Epoch seconds. */
  readonly timestamp: number;
}

/** The network's mark of such a deletion; that of one's own message is 7. */
const BY_ADMIN = '8';

/**
 * Reads the head of a message; undefined when the stanza makes no sense. A direct chat is named by the phone number wherever the network
 * tells it, so that answers go to the same chat in which questions were sent; in groups members keep the address that the group uses.
 */
export function readHead(attrs: StanzaAttrs, me: Me): MessageHead | undefined {
  const key = readKey(attrs, me);
  if (!key?.remoteJid || !key.id) return undefined;
  const remoteJid = accountOf(key.remoteJid);
  const author = accountOf(key.participant ?? (key.fromMe ? me.id : key.remoteJid));
  if (!remoteJid || !author) return undefined;
  // The library does not know an own story by the address that hides the number.
  const fromMe = key.fromMe === true || isMe(author, me);
  const [ownPhone, ownLid] = fromMe ? [me.id, me.lid] : [];
  const senderPhone = phoneAmong(author, attrs.participant_pn, attrs.sender_pn, ownPhone);
  const senderLid = lidAmong(author, attrs.participant_lid, attrs.sender_lid, ownLid);
  const senderUsername = fromMe ? undefined : usernameOf(key, attrs);
  const inGroup = isGroup(remoteJid);
  const broadcast = remoteJid === STATUS_BROADCAST;
  const direct = fromMe
    ? (phoneAmong(remoteJid, attrs.recipient_pn, attrs.peer_recipient_pn) ?? remoteJid)
    : (senderPhone ?? remoteJid);
  const isDirect = !inGroup && !broadcast && !remoteJid.endsWith('@broadcast');
  return {
    messageId: boundedId(key.id),
    remoteJid,
    chat: isDirect ? direct : inGroup || broadcast ? remoteJid : (senderPhone ?? author),
    sender: inGroup ? author : (senderPhone ?? author),
    ...(senderPhone ? { senderPhone } : {}),
    ...(senderLid ? { senderLid } : {}),
    ...(senderUsername ? { senderUsername } : {}),
    senderName: boundedName(attrs.notify ?? ''),
    isGroup: inGroup,
    broadcast,
    fromMe,
    isAmongOwn: attrs.category === 'peer' || (isDirect && fromMe && !attrs.recipient),
    ...(inGroup && attrs.edit === BY_ADMIN ? { isByAdmin: true } : {}),
    timestamp: boundedSeconds(attrs.t),
  };
}

/** In a direct chat the network names the other party, or the author by an attribute that the library does not read. */
function usernameOf(
  {
    participant,
    participantUsername,
    remoteJidUsername,
  }: {
    readonly participant?: string | null;
    readonly participantUsername?: string | null;
    readonly remoteJidUsername?: string | null;
  },
  attrs: StanzaAttrs,
): string | undefined {
  const username = participant ? participantUsername : (attrs.username ?? remoteJidUsername);
  return username && isPlausibleUsername(username) ? username : undefined;
}

function readKey(attrs: StanzaAttrs, me: Me) {
  try {
    return decodeMessageNode({ tag: 'message', attrs }, me.id, me.lid ?? '').fullMessage.key;
  } catch (error) {
    // So the library refuses a stanza that makes no sense.
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}
