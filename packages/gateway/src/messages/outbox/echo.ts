import { bareJid, type EventOf, parseJid, type SendRequest, STATUS_JID } from '@parley/contract';
import type { Histories } from '#conversations';
import { type SealedBox, warnOf } from '#kernel';
import { echoContentOf } from '../kinds/kinds.ts';
import { openSend } from '../sealed-send.ts';
import type { Echo, EndingMessage, SentMessage } from './outcome.ts';

type OwnMessage = EventOf<'message'>;
/** The canonical address of a chat, as the sending session knows it. */
export type ChatOf = (jid: string) => Promise<string>;

/** Undefined when there is no reader for it. Sent messages can be opened, unless a master key was removed since. */
export async function wantedEcho(
  { sealedBox, histories }: { sealedBox: Pick<SealedBox, 'open'>; histories: Pick<Histories, 'of'> },
  head: SentMessage,
  now: number,
  chatOf: ChatOf,
): Promise<Echo | undefined> {
  const isAskedFor = Number(head.asking) > 0;
  const keeper = histories.of(head.slot_id);
  if (!isAskedFor && !keeper) return undefined;
  try {
    const chat = await chatOf(head.to_jid);
    const send = openSend(sealedBox, head);
    const byAdmin = send.kind === 'revoke' && send.revoked_from_me !== true;
    return { event: echoOf(send, head, chat, now), byAdmin, isAskedFor, keeper };
  } catch (error) {
    warnOf('the event of a sent message could not be built')(error);
    return undefined;
  }
}

/**
 * Message event of a send through the API, for webhooks that want all that the number writes. Without its file: the
 * caller has it.
 */
function echoOf(send: SendRequest, head: EndingMessage, chat: string, now: number): OwnMessage {
  const me = bareJid(head.session_id);
  const { type, text, ...said } = echoContentOf(send);
  return {
    kind: 'message',
    message_id: head.message_id,
    session_id: head.session_id,
    from_me: true,
    request_id: head.request_id,
    sender_jid: me,
    sender_phone: me,
    sender_name: '',
    chat_jid: chat,
    is_group: parseJid(chat)?.kind === 'group',
    type,
    text,
    timestamp_unix: Math.floor(now / 1_000),
    broadcast: head.to_jid === STATUS_JID,
    ...said,
  };
}
