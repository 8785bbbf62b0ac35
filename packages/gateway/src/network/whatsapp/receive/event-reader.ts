import { proto, toNumber } from 'baileys';
import type { MessageEvent, NetworkEvent, PollVoteEvent } from '../../events.ts';
import {
  isForTheLibrary,
  isLid,
  type Me,
  readHead,
  type StanzaAttrs,
  toMessageEvent,
} from '../convert/index.ts';
import { decodePlaintext, type JournalEntry } from '../journal/index.ts';
import type { Vault } from '../vault/index.ts';
import { phoneBehind } from './contact-book.ts';
import { authorsOf, readVote } from './polls.ts';

/** Turns what lies in the journal into events: the same way at its arrival and after a crash. */
export function createEventReader({
  vault,
  me,
  onSender,
}: {
  vault: Pick<Vault, 'read'>;
  me: () => Me;
  /** People tell their own name with each message. */
  onSender: (jid: string, pushName: string) => void;
}): (entry: JournalEntry) => Promise<readonly NetworkEvent[]> {
  async function toEvents(message: proto.IMessage, attrs: StanzaAttrs): Promise<readonly NetworkEvent[]> {
    const head = readHead(attrs, me());
    if (!head) return [];
    if (!head.fromMe && head.senderName) onSender(head.senderPhone ?? head.sender, head.senderName);
    const vote = await readVote(vault, message, head, authorsOf(head, attrs, me()));
    const event = vote ?? toMessageEvent(message, head);
    return event ? [await namedByNumber(event)] : [];
  }

  /**
   * A direct chat keeps one name: that of the number, once it is known, also where the network tells nothing but the address that hides it.
   * The id of the event stays what the stanza alone says, so that copies of it are known through restarts.
   */
  async function namedByNumber(event: MessageEvent | PollVoteEvent): Promise<NetworkEvent> {
    const { chat } = event;
    const phone = isLid(chat) ? await phoneBehind(vault, chat) : undefined;
    if (phone === undefined) return event;
    if (event.kind === 'poll_vote') return { ...event, chat: phone, voter: phone };
    return event.fromMe
      ? { ...event, chat: phone }
      : { ...event, chat: phone, sender: phone, senderPhone: phone };
  }

  return async (entry) => {
    if (entry.kind === 'event') return [entry.event];
    const message = decodePlaintext(entry.plaintext);
    if (!message) return [];
    if (!isForTheLibrary(message)) return toEvents(message, entry.attrs);
    const resent = messagesResentByPhone(message);
    const events = await Promise.all(resent.map(({ content, attrs }) => toEvents(content, attrs)));
    return events.flat();
  };
}

/** Messages that came without content, such as those from advertisements, are asked of the own phone, which sends them in one of its own. */
function messagesResentByPhone(message: proto.IMessage): { content: proto.IMessage; attrs: StanzaAttrs }[] {
  const results =
    message.protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
  return results.flatMap(({ placeholderMessageResendResponse }) => {
    const bytes = placeholderMessageResendResponse?.webMessageInfoBytes;
    const info = bytes && decodeInfo(bytes);
    return info?.message ? [{ content: info.message, attrs: attrsOf(info) }] : [];
  });
}

function decodeInfo(bytes: Uint8Array): proto.IWebMessageInfo | undefined {
  try {
    return proto.WebMessageInfo.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The head that the message had when it came without content. */
function attrsOf({ key, participant, messageTimestamp, pushName }: proto.IWebMessageInfo): StanzaAttrs {
  const author = key?.participant ?? participant;
  return {
    id: key?.id ?? '',
    from: key?.remoteJid ?? '',
    ...(author ? { participant: author } : {}),
    t: String(toNumber(messageTimestamp ?? 0)),
    ...(pushName ? { notify: pushName } : {}),
  };
}
