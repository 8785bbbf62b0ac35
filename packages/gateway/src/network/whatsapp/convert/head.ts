import { decodeMessageNode, proto, toNumber } from 'baileys';
import { decoded } from '#kernel';
import type { Jid } from '../../content.ts';
import { codeOf } from '../errors.ts';
import { boundedId, boundedName, boundedSeconds, isPlausibleUsername } from './bounds.ts';
import { accountOf, isGroup, isOwnJid, lidAmong, type Me, phoneAmong, STATUS_BROADCAST } from './jid.ts';

/** Attributes of a message stanza: author, chat and time. */
export type StanzaAttrs = Readonly<Record<string, string>>;

export interface MessageHead {
  readonly messageId: string;
  /** Address of the chat on the network; for requests about its media. */
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
  /** Between the number's own devices, in no chat. */
  readonly isAmongOwn: boolean;
  /** An admin of the group deletes a message of another member. */
  readonly isByAdmin?: true;
  /** Epoch seconds. */
  readonly timestamp: number;
}

/** The network's mark of a deletion by an admin; that of one's own message is 7. */
const BY_ADMIN = '8';

/**
 * Reads the head of a message; undefined for an invalid stanza. A direct chat is named by the phone number
 * wherever the network sends it, so that answers go to the chat of the question; in groups members keep the
 * address that the group uses.
 */
export function readHead(attrs: StanzaAttrs, me: Me): MessageHead | undefined {
  const key = readKey(attrs, me);
  if (!key?.remoteJid || !key.id) return undefined;
  const remoteJid = accountOf(key.remoteJid);
  const author = accountOf(key.participant ?? (key.fromMe ? me.id : key.remoteJid));
  if (!remoteJid || !author) return undefined;
  // The library does not recognize an own story under the hidden address.
  const fromMe = key.fromMe === true || isOwnJid(author, me);
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
    // What the number itself sends to a broadcast list is in no chat of one person.
    chat: isDirect ? direct : inGroup || broadcast || fromMe ? remoteJid : (senderPhone ?? author),
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

/** In a direct chat the network names the other party, or the author in an attribute that the library does not read. */
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
    // The library's error for an invalid stanza.
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/**
 * A message in the form that phones store and exchange, with its head and its status. Undefined when the bytes
 * are invalid.
 */
export function decodeWebMessage(bytes: Uint8Array): proto.IWebMessageInfo | undefined {
  return decoded(() => proto.WebMessageInfo.decode(bytes));
}

/** Attributes of the message's stanza, as this device received it or would have. */
export function attrsOfWebMessage(info: proto.IWebMessageInfo, me: Me): StanzaAttrs {
  const { key, participant, messageTimestamp, pushName } = info;
  const chat = key?.remoteJid ?? '';
  const author = key?.participant || participant || (key?.fromMe && isGroup(chat) ? me.id : undefined);
  const isOwnDirect = key?.fromMe === true && !author;
  return {
    id: key?.id ?? '',
    ...(isOwnDirect ? { from: me.id, recipient: chat } : { from: chat }),
    ...(author ? { participant: author } : {}),
    t: String(toNumber(messageTimestamp ?? 0)),
    ...(pushName ? { notify: pushName } : {}),
  };
}
