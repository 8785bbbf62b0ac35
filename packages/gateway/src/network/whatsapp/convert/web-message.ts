import { proto, toNumber } from 'baileys';
import { decoded } from '#kernel';
import type { StanzaAttrs } from './head.ts';
import { isGroup, type Me } from './jid.ts';

/** A message as phones keep it and hand it to each other: with its head, and what came of it. Undefined when it is none. */
export function decodeWebMessage(bytes: Uint8Array): proto.IWebMessageInfo | undefined {
  return decoded(() => proto.WebMessageInfo.decode(bytes));
}

/** The attributes that its stanza had when it came, or would have had if it came to this device. */
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
